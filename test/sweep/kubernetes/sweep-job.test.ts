import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type SweepJobOptions, sweepJobObjects } from '../../../src/sweep/kubernetes/sweep-job.ts';
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

const OPTIONS: SweepJobOptions = {
  ...{ name: 'j', namespace: 'n', image: 'i', shards: 1, wanted: '1', wantedCount: 1, parallelism: 1 },
  ...{ requests: {}, nodeSelector: {}, backoffLimitPerIndex: 1, workers: 1, results: '-' },
};

describe('a plan that one ConfigMap does not hold', () => {
  it('has several, which pods see as files of one folder', () => {
    const plan = Buffer.from(Array.from({ length: 2.5 * 2 ** 20 }, (_, i) => (i * 7919) % 251));
    const objects = sweepJobObjects(OPTIONS, plan) as unknown as Record<string, never>[];
    const configMaps = objects.slice(0, -1) as unknown as {
      readonly metadata: { readonly name: string };
      readonly binaryData: Readonly<Record<string, string>>;
    }[];
    expect(configMaps.map(({ metadata }) => metadata.name)).toEqual(['j-1', 'j-2', 'j-3']);
    const bytes = configMaps
      .flatMap(({ binaryData }) => Object.values(binaryData))
      .map((t) => Buffer.from(t, 'base64'));
    expect(Buffer.concat(bytes).equals(plan)).toBe(true);
    for (const part of bytes) expect(part.length).toBeLessThan(2 ** 20);
    expect(objects.at(-1)).toMatchObject({
      spec: {
        template: {
          spec: {
            volumes: [
              {
                name: 'plan',
                projected: { sources: ['j-1', 'j-2', 'j-3'].map((name) => ({ configMap: { name } })) },
              },
            ],
            containers: [
              {
                args: [
                  'sweep',
                  '--plan',
                  ...[1, 2, 3].map((i) => `/berth/plan.gz.${i}`),
                  '--shards',
                  ...Array(7).fill(expect.anything()),
                ],
              },
            ],
          },
        },
      },
    });
  });

  it('is refused beyond sixteen', () => {
    expect(() => sweepJobObjects(OPTIONS, Buffer.alloc(2 ** 24))).toThrow(
      /is 16\.0 MiB compressed, more than 16 ConfigMaps of 1 MiB hold/,
    );
  });
});

describe('--results', () => {
  const jobOf = async (...more: string[]) => {
    const { out, logged } = await berth([...argv, '--image', 'x', ...more]);
    expect(logged).toEqual([]);
    const job = parseAllDocuments(out).at(-1)?.toJS();
    const [container] = job.spec.template.spec.containers;
    return { name: job.metadata.name, volumes: job.spec.template.spec.volumes, container };
  };

  it.each([
    ['s3://bucket/sweeps', 's3://bucket/sweeps/NAME/part-{shard}.ndjson'],
    ['https://host/dav/', 'https://host/dav/NAME/part-{shard}.ndjson'],
    ['https://host/c?sig=a%2Fb', 'https://host/c/NAME/part-{shard}.ndjson?sig=a%2Fb'],
  ])('%s is where pods put their shards', async (url, output) => {
    const { name, container, volumes } = await jobOf('--results', url, '--results-secret', 'keys');
    expect(container.args.slice(-3)).toEqual(['-o', output.replace('NAME', name), '--resume']);
    expect(container.envFrom).toEqual([{ secretRef: { name: 'keys' } }]);
    expect(volumes).toHaveLength(1);
  });

  it('pvc:// is a volume', async () => {
    const { name, container, volumes } = await jobOf('--results', 'pvc://scratch/a/b');
    expect(container.args.slice(-3)).toEqual(['-o', `/results/a/b/${name}/part-{shard}.ndjson`, '--resume']);
    expect(volumes[1]).toEqual({ name: 'results', persistentVolumeClaim: { claimName: 'scratch' } });
    expect(container.volumeMounts[1]).toEqual({ name: 'results', mountPath: '/results' });
  });

  it.each([
    [['--results', 'ftp://x/y'], /Expected s3:\/\/BUCKET\/PATH, https:\/\/HOST\/PATH or pvc:/],
    [['--results', 'pvc://c/../x'], /Expected s3:/],
    [['--results-secret', 'a'], /--results-secret has no effect without --results/],
  ])('refuses %j', async (more, message) => {
    const { code, logged } = await berth([...argv, '--image', 'x', ...more]);
    expect({ code, logged }).toEqual({ code: 1, logged: [expect.stringMatching(message)] });
  });
});
