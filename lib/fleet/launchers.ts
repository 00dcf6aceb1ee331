import type { FleetPlan } from './fleet-plan.js';

/** The files that have an existing engine start a fleet, beside the plan and the worker's one file. */

export const launcherNames = ['artillery', 'kubernetes', 'github'] as const;
export type LauncherName = (typeof launcherNames)[number];

/** Milliseconds until a fleet may begin, and between the moments at which it may: as long as an engine takes to start it. */
export const startTimes: Record<
  LauncherName | 'none',
  { readonly leadMs: number; readonly everyMs: number }
> = {
  none: { leadMs: 15_000, everyMs: 5_000 },
  artillery: { leadMs: 20_000, everyMs: 60_000 },
  kubernetes: { leadMs: 60_000, everyMs: 120_000 },
  // Runners may queue for minutes.
  github: { leadMs: 300_000, everyMs: 600_000 },
};

type Files = Readonly<Record<string, string>>;

export function launcherFiles(launcher: LauncherName, plan: FleetPlan): Files {
  return { artillery, kubernetes, github }[launcher](plan);
}

const merge = (ledgers: string, { suite }: FleetPlan): string =>
  `npx ${suite.name}@${suite.version} load merge plan.json ${ledgers} --output=result`;

function about(plan: FleetPlan): string {
  const { load, workers, target, start } = plan;
  return `${workers} workers send ${load.ratePerSecond} requests a second together for ${load.durationMs / 1_000} s to ${target.baseUrl}.
They begin at the same moment by the clock of the target, at the earliest at ${new Date(start.notBefore).toISOString()} and at the
latest at ${new Date(start.latest).toISOString()}: make a new plan if that is over. The key is in no file: ${target.keyVariable} holds it.
`;
}

function artillery(plan: FleetPlan): Files {
  const { workers, target } = plan;
  return {
    'artillery.yml': `# One virtual user is one worker: the plan divides the load, not Artillery.
config:
  target: ${JSON.stringify(target.baseUrl)}
  processor: ./worker.cjs
  includeFiles:
    - plan.json
  phases:
    - duration: 1
      arrivalRate: ${workers}
scenarios:
  - name: worker
    flow:
      - function: petstoreWorker
`,
    // Its bundler installs what stands here: nothing.
    'package.json': `${JSON.stringify({ private: true, dependencies: {} }, null, 2)}\n`,
    'README.md': `# A fleet of ${workers} workers, started by Artillery

${about(plan)}
On this machine (Artillery 2.0.21 runs on Node 20):

    npx artillery@2.0.21 run artillery.yml
    ${merge('ledgers', plan)}

On AWS Fargate each worker is a task of its own, and is told its number; its ledger is its standard output, which Artillery
uploads beside the test's results:

    sed -i 's/arrivalRate: .*/arrivalRate: 1/' artillery.yml; printf '${target.keyVariable}=%s\\nPETSTORE_LEDGER=-\\n' "$${target.keyVariable}" > fleet.env
    for i in $(seq 0 ${workers - 1}); do npx artillery@2.0.21 run-fargate --count 1 --dotenv fleet.env --variables "{\\"worker\\":$i}" artillery.yml & done; wait

Then merge the logs of the tasks: ${merge('worker-*.log', plan)}
`,
  };
}

function kubernetes(plan: FleetPlan): Files {
  const { workers, target } = plan;
  return {
    'job.yaml': `apiVersion: batch/v1
kind: Job
metadata:
  name: petstore-fleet
spec:
  completionMode: Indexed
  completions: ${workers}
  parallelism: ${workers}
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: worker
          image: node:20-slim
          command: [node, /fleet/worker.cjs, /fleet/plan.json]
          env:
            - name: PETSTORE_LEDGER
              value: '-'
            - name: ${target.keyVariable}
              valueFrom:
                secretKeyRef: { name: petstore-fleet, key: key }
          volumeMounts:
            - { name: fleet, mountPath: /fleet, readOnly: true }
      volumes:
        - name: fleet
          configMap: { name: petstore-fleet }
`,
    'README.md': `# A fleet of ${workers} workers, started by Kubernetes (Indexed Job)

${about(plan)}
    kubectl create secret generic petstore-fleet --from-literal=key="$${target.keyVariable}" && kubectl create configmap petstore-fleet --from-file=worker.cjs --from-file=plan.json && kubectl apply -f job.yaml && kubectl wait --for=condition=complete --timeout=1h job/petstore-fleet
    mkdir -p ledgers && for pod in $(kubectl get pods -l job-name=petstore-fleet -o name); do kubectl logs $pod > ledgers/$(basename $pod).log; done && ${merge('ledgers', plan)}
`,
  };
}

function github(plan: FleetPlan): Files {
  const { workers, target, suite } = plan;
  const numbers = Array.from({ length: workers }, (_, worker) => worker).join(', ');
  return {
    'fleet.yml': `# .github/workflows/fleet.yml; the folder of this plan is committed as fleet/.
name: fleet
on: workflow_dispatch
jobs:
  worker:
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
      matrix:
        worker: [${numbers}]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 20 }
      - run: node fleet/worker.cjs fleet/plan.json
        env:
          PETSTORE_WORKER: \${{ matrix.worker }}
          ${target.keyVariable}: \${{ secrets.${target.keyVariable} }}
      - uses: actions/upload-artifact@v4
        with: { name: 'ledger-\${{ matrix.worker }}', path: fleet/ledgers }
  merge:
    needs: worker
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 20 }
      - uses: actions/download-artifact@v4
        with: { path: ledgers, merge-multiple: true }
      - run: npx ${suite.name}@${suite.version} load merge fleet/plan.json ledgers --output=result
      - uses: actions/upload-artifact@v4
        if: always()
        with: { name: result, path: result }
`,
    'README.md': `# A fleet of ${workers} workers, started by GitHub Actions (matrix)

${about(plan)}
Commit this folder as \`fleet/\`, and fleet.yml as \`.github/workflows/fleet.yml\`; the secret ${target.keyVariable} holds the key.

    gh workflow run fleet.yml
    gh run download --name result --dir result
`,
  };
}
