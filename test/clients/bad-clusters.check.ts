import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runBuilt } from '../cli/run-built.ts';
import { BadKubeconfigs } from '../live/bad-kubeconfigs.ts';

let bad: BadKubeconfigs;
beforeAll(async () => {
  bad = await BadKubeconfigs.open();
});
afterAll(() => bad[Symbol.asyncDispose]());

const SWEEP = ['sweep', '--nodes', '2', '--pods', '3', '--seeds', '1..4', '--on', 'kubernetes', '--shards', '2'];

/** The commands that speak with a cluster, as they are typed; each writes into the directory. */
function commands(directory: string): Readonly<Record<string, readonly string[]>> {
  return {
    scheduler: ['scheduler', '--listen', '127.0.0.1:0'],
    import: ['import'],
    record: ['record', `${directory}/run.ndjson.gz`, '--for', '1s'],
    sweep: [...SWEEP, '--image', 'berth', '-o', `${directory}/sweep.ndjson`],
  };
}

const LINES: Readonly<Record<string, string>> = {
  missing: 'kubeconfig DIR/missing: no such file',
  bare: 'kubeconfig DIR/bare: current-context: is not set: name one with --context',
  closed: 'https://127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused',
  'wrong-authority': 'https://HOST: tls: failed to verify certificate: x509: certificate signed by unknown authority',
  'expired-client': 'https://HOST: Unauthorized (the client certificate expired at 2021-01-01T00:00:00Z)',
};

/** What each command lacks of its rights. */
const DENIED: Readonly<Record<string, string>> = {
  scheduler: 'list nodes, watch pods, create pods/binding',
  import: 'list nodes',
  record: 'list nodes, watch pods',
  sweep: 'create jobs.batch in default, watch pods in default',
};

it.each(['scheduler', 'import', 'record', 'sweep'])('%s says why in one line, and ends with 1', async (name) => {
  const lines = { ...LINES, 'few-rights': `rights are missing: ${DENIED[name]}` };
  const argv = commands(bad.directory)[name] as readonly string[];
  for (const [kubeconfig, line] of Object.entries(lines)) {
    const { code, out, err } = await runBuilt([...argv, '--kubeconfig', bad.path(kubeconfig)]);
    expect({ code, out, err: bad.shown(err) }).toEqual({ code: 1, out: '', err: `error: ${line}\n` });
  }
});

it('says that a certificate has expired when the server only breaks the connection', async () => {
  const { code, err } = await runBuilt(['import', '--kubeconfig', bad.path('expired-client-at-proxy')]);
  const why = 'the server closed the connection (the client certificate expired at 2021-01-01T00:00:00Z)';
  expect({ code, err: bad.shown(err) }).toEqual({ code: 1, err: `error: https://HOST: ${why}\n` });
});

it('refuses a configuration as kube-scheduler does, before the cluster is asked', async () => {
  const config = bad.path('scheduler.yaml');
  const head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
  writeFileSync(config, `${head}percentageOfNodesToScore: 101\n`);
  const flags = ['--config', config, '--kubeconfig', bad.path('closed')];
  const { code, err } = await runBuilt(['scheduler', ...flags]);
  const why = 'percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]';
  expect({ code, err: bad.shown(err) }).toEqual({ code: 1, err: `error: DIR/scheduler.yaml: ${why}\n` });
});
