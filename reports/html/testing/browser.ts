import { access, constants } from 'node:fs/promises';
import { chromium, type Browser } from 'playwright-core';

/** Chromium as Debian installs it, unless `CHROMIUM` names another. */
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether there is a Chromium on this machine. */
export function hasChromium(): Promise<boolean> {
  return access(chromiumPath, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** A headless Chromium that asks nobody anything by itself. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    // How long it takes to start is the machine's doing.
    timeout: 0,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Pages of one context share a process.
      '--process-per-site',
    ],
  });
}
