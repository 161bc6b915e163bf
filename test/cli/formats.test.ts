import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { behaviourProblems } from '../../src/api/validation/behaviour-settings.ts';
import { checkConfiguration } from '../../src/caller/load-configuration.ts';
import { SCHEMAS } from '../../src/cli/commands/schemas.ts';
import { readFaults } from '../../src/simulation/faults/fault-file.ts';
import { readWorkload } from '../../src/simulation/workload/workload-file.ts';
import { textSource } from '../manifests/text-source.ts';
import { berth } from './run-berth.ts';

const ROOT = join(import.meta.dirname, '../..');

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new Map(Object.entries(SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]));
const accepts = (name: string, value: unknown) => validators.get(name)?.(value) === true;

type Reader = (text: string) => Promise<boolean>;
const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );
const files = (text: string) => textSource({ f: text, f2: POD, 'times.txt': '1\n' });
const POD = 'kind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c}]}';
const READERS: Readonly<Record<string, Reader>> = {
  workload: (text) => succeeds(readWorkload('f', files(text))),
  faults: (text) => succeeds(readFaults('f', files(text))),
  annotations: async (text) =>
    behaviourProblems({ metadata: { annotations: parse(text) }, spec: { containers: [{ name: 'web' }] } }).length === 0,
  configuration: async (text) => checkConfiguration(text).ok,
};

const workload = (more: object) => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Workload',
  arrivals: [{ object: { kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'c' }] } }, ...more }],
});
const changes = (more: object) => ({ apiVersion: 'berth.dev/v1alpha1', kind: 'Workload', changes: [more] });
const faults = (more: object) => ({ apiVersion: 'berth.dev/v1alpha1', kind: 'Faults', faults: [more] });
const configuration = (more: object) => ({
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  ...more,
});

/** Documents, and whether they are valid. */
const CASES: readonly (readonly [format: string, document: object, isValid: boolean])[] = [
  ['workload', workload({ at: '5m' }), true],
  ['workload', workload({ at: ['5m', '1h30m', '0'], lifetime: 'pareto(1s, 1.5)' }), true],
  ['workload', workload({ poisson: '0.5/h', from: '1s', until: '2h', count: 3, duration: 'lognormal(2m, 1.2)' }), true],
  ['workload', workload({ trace: 'times.txt', name: 'x' }), true],
  ['workload', workload({ at: '5m', rate: '1/s' }), false],
  ['workload', workload({}), false],
  ['workload', workload({ at: 'soon' }), false],
  ['workload', workload({ rate: '5' }), false],
  ['workload', workload({ at: '5m', count: 0 }), false],
  ['workload', workload({ at: '5m', until: 5 }), false],
  ['workload', workload({ at: '5m', nonsense: 1 }), false],
  ['workload', workload({ at: '5m', object: { kind: 'Lease' } }), false],
  [
    'workload',
    changes({ at: '5m', patch: { kind: 'Deployment', metadata: { name: 'a' }, spec: { replicas: 2 } } }),
    true,
  ],
  ['workload', changes({ at: ['5m', '6m'], delete: { kind: 'Pod', metadata: { name: 'a' } } }), true],
  ['workload', changes({ at: '5m', apply: 'f2' }), true],
  ['workload', { ...workload({ at: '5m' }), ...changes({ at: '5m', apply: 'f2' }) }, true],
  ['workload', changes({ at: '5m' }), false],
  ['workload', changes({ apply: 'f2' }), false],
  ['workload', changes({ at: '5m', apply: 'f2', delete: { kind: 'Pod', metadata: { name: 'a' } } }), false],
  ['workload', changes({ at: '5m', patch: { kind: 'Pod', metadata: {} } }), false],
  ['workload', changes({ at: '5m', patch: { kind: 'Lease', metadata: { name: 'a' } } }), false],
  ['workload', changes({ at: '5m', apply: '' }), false],
  ['workload', changes({ at: '5m', every: '1m', apply: 'f2' }), false],
  ['workload', { apiVersion: 'berth.dev/v1alpha1', kind: 'Workload' }, false],
  ['workload', { ...workload({ at: '5m' }), kind: 'Work' }, false],
  ['workload', { ...workload({ at: '5m' }), arrivals: [] }, false],
  ['faults', faults({ fault: 'nodeCrash', at: '5m', for: 'uniform(1s, 2s)' }), true],
  ['faults', faults({ fault: 'nodeCrash', every: 'exponential(1h)', from: '1m', count: 2, nodes: { a: 'b' } }), true],
  ['faults', faults({ fault: 'storeConflicts', at: '5m', share: 0.5 }), true],
  ['faults', faults({ fault: 'clockJump', at: '5m', by: '1h' }), true],
  ['faults', faults({ fault: 'lostWatch', at: ['5m'], resource: 'pods' }), true],
  ['faults', faults({ fault: 'nodeCrash', at: '5m', node: 'a', nodes: { a: 'b' } }), false],
  ['faults', faults({ fault: 'nodeCrash', at: '5m', count: 2 }), false],
  ['faults', faults({ fault: 'nodeCrash' }), false],
  ['faults', faults({ fault: 'earthquake', at: '5m' }), false],
  ['faults', faults({ fault: 'storeConflicts', at: '5m', share: 2 }), false],
  ['faults', faults({ fault: 'storeConflicts', at: '5m' }), false],
  ['faults', faults({ fault: 'clockJump', at: '5m', by: '1h', for: '1m' }), false],
  ['faults', faults({ fault: 'runtimeErrors', at: '5m', operation: 'dance' }), false],
  ['annotations', { 'berth.dev/run-duration': 'uniform(5s, 20s)', other: 'x' }, true],
  ['annotations', { 'berth.dev/run-duration.web': 'forever', 'berth.dev/exit-codes': '1, 1,0' }, true],
  ['annotations', { 'berth.dev/memory-use': '1.5Gi', 'berth.dev/ready-delay': '0s' }, true],
  ['annotations', { 'berth.dev/run-duratoin': '5s' }, false],
  ['annotations', { 'berth.dev/run-duration': 'soon' }, false],
  ['annotations', { 'berth.dev/exit-codes': '256' }, false],
  ['annotations', { 'berth.dev/memory-use': '1Gx' }, false],
  ['configuration', configuration({}), true],
  ['configuration', configuration({ percentageOfNodesToScore: 50, profiles: [{ schedulerName: 'a' }] }), true],
  ['configuration', configuration({ profiles: [{ plugins: { score: { disabled: [{ name: '*' }] } } }] }), true],
  ['configuration', configuration({ percentageOfNodesToScore: 101 }), false],
  ['configuration', configuration({ nonsense: 1 }), false],
  ['configuration', configuration({ profiles: [{ plugins: { sort: {} } }] }), false],
  ['configuration', configuration({ parallelism: 0 }), false],
];

describe('the schema of a format', () => {
  it.each(Object.entries(SCHEMAS))('%s is printed, and lies in docs/formats', async (name, schema) => {
    const { code, out } = await berth(['schema', name]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(schema);
    expect(out).toBe(readFileSync(join(ROOT, `docs/formats/${name}.schema.json`), 'utf8'));
  });

  it.each(CASES)('%s: %j is valid for the reader and the schema, or for neither', async (name, document, isValid) => {
    expect(await READERS[name]?.(stringify(document))).toBe(isValid);
    expect(accepts(name, document)).toBe(isValid);
  });

  it('accepts the examples', () => {
    const example = (file: string) => parse(readFileSync(join(ROOT, `examples/simulation/${file}`), 'utf8'));
    expect(accepts('workload', example('workload.yaml'))).toBe(true);
    expect(accepts('workload', example('rollout.yaml'))).toBe(true);
    expect(accepts('faults', example('faults.yaml'))).toBe(true);
    expect(accepts('annotations', example('pi.yaml').spec.template.metadata.annotations)).toBe(true);
  });

  it('accepts every example of docs/formats', () => {
    const page = readFileSync(join(ROOT, 'docs/formats/README.md'), 'utf8');
    const sections = page.split(/^## /m).slice(1);
    const checked = sections.flatMap((section) => {
      const name = section.split('\n')[0]?.toLowerCase() ?? '';
      return [...section.matchAll(/^```yaml\n(.*?)^```/gms)].map((match) => {
        expect({ name, isValid: accepts(name, parse(match[1] ?? '')) }).toEqual({ name, isValid: true });
        return name;
      });
    });
    expect(checked).toEqual(['workload', 'workload', 'faults', 'annotations', 'configuration']);
  });

  it('accepts every line of a recording', async () => {
    const example = readFileSync(join(ROOT, 'examples/simulation/pi.yaml'));
    const argv = ['simulate', '-f', 'f.yaml', '--nodes', '2', '--record', 'r.gz'];
    const { code, written } = await berth(argv, { 'f.yaml': example });
    expect(code).toBe(0);
    const lines = gunzipSync(Buffer.from(written['r.gz'] ?? '', 'latin1'))
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !accepts('recording', JSON.parse(line)))).toEqual([]);
    expect(accepts('recording', { format: 'other' })).toBe(false);
  });
});
