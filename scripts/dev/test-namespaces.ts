import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * `npm run test:namespaces`: the clusters of the proof in a network namespace of its own, with the addresses of an interface
 * instead of loopback's. Opt-in: it takes Linux, root and iproute2. If they are not given it says so, and does nothing.
 */
const namespace = `petstore-${process.pid}`;
const addresses = [1, 2, 3, 4, 5].map((last) => `10.231.77.${last}`);

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Why there can be no namespace with these addresses; undefined once there is one. */
function whyNot(): string | undefined {
  try {
    ip('netns', 'add', namespace);
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
    ip('-n', namespace, 'link', 'add', 'clients', 'type', 'veth', 'peer', 'name', 'service');
    for (const address of addresses) ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'clients');
    for (const side of ['clients', 'service']) ip('-n', namespace, 'link', 'set', side, 'up');
    return undefined;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    return said === '' ? 'the command ip failed' : said;
  }
}

const reason = whyNot();
if (reason === undefined) {
  const dev = fileURLToPath(new URL('../dev.mjs', import.meta.url));
  const proof = [dev, 'dev/proof', '--parts=cluster', `--addresses=${addresses.join(',')}`];
  const { status } = spawnSync('ip', ['netns', 'exec', namespace, process.execPath, ...proof], {
    stdio: 'inherit',
  });
  ip('netns', 'delete', namespace);
  process.exitCode = status ?? 1;
} else {
  spawnSync('ip', ['netns', 'delete', namespace], { stdio: 'ignore' });
  console.log(
    `skipped: no network namespace can be made here (${reason}); it takes Linux, root and iproute2`,
  );
}
