import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { sweepJobObjects } from '../../../src/sweep/kubernetes/sweep-job.ts';
import { readPlan } from '../../../src/sweep/plan-file.ts';
import { berth } from '../../cli/run-berth.ts';

const argv = ['sweep', '--seeds', '1..8', '--on', 'kubernetes', '--shards', '4', '-o', 'yaml'];

describe('-o yaml', () => {
  it('prints a Job whose pods have the plan with all of its input', async () => {
    const config = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
    const more = ['--config', 'c.yaml', '--image', 'r/berth:1', '--requests', 'cpu=2,memory=3Gi', '--parallelism', '3'];
    const flags = ['--node-selector', 'pool=batch', '--backoff-limit-per-index', '5', '-n', 'team', '--workers', '2'];
    const { out, code } = await berth([...argv, ...more, ...flags], { 'c.yaml': config });
    expect(code).toBe(0);
    const [configMap, job] = parseAllDocuments(out).map((document) => document.toJS());
    const { name } = job.metadata;
    expect(configMap).toMatchObject({ kind: 'ConfigMap', metadata: { name, namespace: 'team' } });
    const carried = readPlan(Buffer.from(configMap.binaryData['plan.gz'], 'base64'), 'plan.gz');
    expect(carried.plan).toMatchObject({ seeds: '1..8', parameters: { config: ['c.yaml'] } });
    expect(Buffer.from(carried.contents.get('c.yaml') ?? []).toString()).toBe(config);
    expect(job).toMatchObject({
      ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { namespace: 'team' } },
      spec: {
        ...{ completionMode: 'Indexed', completions: 4, parallelism: 3, backoffLimitPerIndex: 5 },
        podFailurePolicy: { rules: [{ action: 'Ignore' }, { action: 'FailIndex', onExitCodes: { values: [1] } }] },
        template: {
          spec: {
            ...{ restartPolicy: 'Never', nodeSelector: { pool: 'batch' } },
            volumes: [{ configMap: { name } }],
            containers: [
              {
                image: 'r/berth:1',
                args: [
                  ...['sweep', '--plan', '/berth/plan.gz', '--shards', '4', '--shard-list', '1..4'],
                  ...['--workers', '2', '-o', '-'],
                ],
                resources: { requests: { cpu: '2', memory: '3Gi' }, limits: { memory: '3Gi' } },
              },
            ],
          },
        },
      },
    });
  });

  it.each([
    [argv, /^error: --on kubernetes needs --image$/],
    [[...argv.filter((word) => word !== '--shards' && word !== '4'), '--image', 'x'], /needs --shards/],
    [[...argv, '--image', 'x', '--requests', 'cpu=1x'], /cpu: "1x" is not a quantity/],
    [[...argv, '--image', 'x', '--shard', '1/2'], /^error: --shard has no effect without a run on this machine/],
    [['sweep', '--seeds', '1', '-o', 'x', '--image', 'x'], /^error: --image has no effect without --on kubernetes$/],
    [[...argv.slice(0, 2), '1..2', ...argv.slice(3), '--image', 'x'], /^error: --shards 4: there are 2 runs$/],
  ])('refuses %j', async (refused, message) => {
    const { code, logged } = await berth(refused);
    expect({ code, logged }).toEqual({ code: 1, logged: [expect.stringMatching(message)] });
  });
});

it('a plan that no ConfigMap holds is refused', () => {
  const options = {
    ...{ name: 'j', namespace: 'n', image: 'i', shards: 1, wanted: '1', wantedCount: 1, parallelism: 1 },
    ...{ requests: {}, nodeSelector: {}, backoffLimitPerIndex: 1, workers: 1 },
  };
  expect(() => sweepJobObjects(options, Buffer.alloc(2 ** 21))).toThrow(
    /is 2\.0 MiB compressed, and a ConfigMap holds/,
  );
});
