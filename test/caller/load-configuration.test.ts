import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkConfiguration, encodeConfiguration, encodeProfileArgs } from '../../src/index.ts';

const META = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };

/** Stage and messages of a refusal, or the configuration as v1 JSON. */
function load(fields: object | string): unknown {
  const loaded = checkConfiguration(typeof fields === 'string' ? fields : { ...META, ...fields });
  if (loaded.ok) return encodeConfiguration(loaded.configuration);
  return [loaded.stage, ...loaded.errors.map(({ message }) => message)];
}

const withArgs = (name: string, args: unknown, plugins?: object) => ({
  profiles: [{ pluginConfig: [{ name, args }], plugins }],
});

/** The arguments of a plugin in the first profile, as v1 JSON. */
function argsOf(name: string, fields: object): unknown {
  const loaded = checkConfiguration({ ...META, ...fields });
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  const [profile] = loaded.configuration.profiles;
  return profile && encodeProfileArgs(profile)[name];
}

describe('a document that cannot be read', () => {
  test.each<[string, object | string, string]>([
    ['text that is no object', 'hello', 'configuration: not an object, so it has no apiVersion and kind'],
    ['no text', '', "configuration: 'kind' is missing"],
    ['no kind', { kind: undefined }, "configuration: 'kind' is missing"],
    ['no apiVersion', { apiVersion: null }, "configuration: 'apiVersion' is missing"],
    ['a number as kind', { kind: 3 }, 'configuration: kind is not a string'],
    ['another version', { apiVersion: 'a/b/c' }, 'configuration: unexpected GroupVersion string: a/b/c'],
    [
      'an old version',
      { apiVersion: 'kubescheduler.config.k8s.io/v1beta3' },
      'configuration: no kind "KubeSchedulerConfiguration" in version "kubescheduler.config.k8s.io/v1beta3"',
    ],
    [
      'arguments alone',
      { kind: 'NodeResourcesFitArgs' },
      'configuration: not a KubeSchedulerConfiguration but NodeResourcesFitArgs',
    ],
    ['a string as number', { parallelism: '16' }, 'parallelism: expected an integer of 32 bits, got the string "16"'],
    [
      '2.0 as integer',
      JSON.stringify({ ...META, parallelism: 2 }).replace(':2', ':2.0'),
      'parallelism: expected an integer of 32 bits, got the number 2.0',
    ],
    ['half a document', '{"parallelism":2,', 'json: '],
    [
      'a number beyond 32 bits',
      { profiles: [{ plugins: { score: { enabled: [{ name: 'X', weight: 2 ** 31 }] } } }] },
      'profiles[0].plugins.score.enabled[0].weight: expected an integer of 32 bits, got the number 2147483648',
    ],
    ['an object as list', { profiles: {} }, 'profiles: expected a list, got an object'],
    [
      'null as duration',
      { extenders: [{ httpTimeout: null }] },
      'extenders[0].httpTimeout: expected a duration such as "15s", got null',
    ],
    [
      'a duration without unit',
      { leaderElection: { leaseDuration: '15' } },
      'leaderElection.leaseDuration: time: missing unit in duration "15"',
    ],
    [
      'no base64',
      { extenders: [{ tlsConfig: { caData: '%%%' } }] },
      'extenders[0].tlsConfig.caData: expected base64, got the string "%%%"',
    ],
    [
      'arguments of another plugin',
      withArgs('NodeAffinity', { kind: 'InterPodAffinityArgs' }),
      'profiles[0].pluginConfig[0].args: NodeAffinity takes NodeAffinityArgs, not InterPodAffinityArgs',
    ],
    [
      'arguments of a group that is unknown',
      withArgs('NodeAffinity', { apiVersion: 'example.com/v1' }),
      'profiles[0].pluginConfig[0].args: no kind "NodeAffinityArgs" in version "example.com/v1"',
    ],
    [
      'a list as arguments',
      withArgs('NodeAffinity', []),
      'profiles[0].pluginConfig[0].args: not an object, so it has no apiVersion and kind',
    ],
  ])('%s', (_, fields, message) => {
    expect(load(fields)).toEqual(['decode', expect.stringContaining(message)]);
  });
});

describe('a document with fields that upstream does not know', () => {
  test('every one is named, with its path', () => {
    const fields = {
      Parallelism: 3,
      profiles: [{ scheduler: 'x', pluginConfig: [{ name: 'InterPodAffinity', args: { hard: 1 } }] }],
      extenders: [{ urlprefix: 'x' }],
    };
    const loaded = checkConfiguration({ ...META, ...fields });
    expect(loaded).toMatchObject({ ok: false, stage: 'decode', strict: true });
    const found = loaded.ok ? [] : loaded.errors.map(({ field }) => field);
    expect(found).toEqual(['Parallelism', 'profiles[0].scheduler', 'extenders[0].urlprefix', 'hard']);
  });

  test('a field that stands twice', () => {
    const json = `{"apiVersion":"${META.apiVersion}","kind":"${META.kind}","parallelism":1,"parallelism":2}`;
    const yaml = `apiVersion: ${META.apiVersion}\nkind: ${META.kind}\nparallelism: 1\nparallelism: 2\n`;
    expect(load(json)).toEqual(['decode', 'duplicate field "parallelism"']);
    expect(load(yaml)).toEqual(['decode', 'yaml: line 4: key "parallelism" already set in map']);
  });

  test('what cannot be read goes before what is unknown', () => {
    expect(load({ foo: 1, parallelism: true })).toEqual(['decode', expect.stringContaining('parallelism')]);
  });
});

describe('validation', () => {
  test('names every wrong field, in upstream order', () => {
    const fields = {
      parallelism: 0,
      percentageOfNodesToScore: 101,
      podInitialBackoffSeconds: 20,
      leaderElection: { resourceLock: 'configmaps' },
      profiles: [
        { schedulerName: 'a' },
        { schedulerName: 'a', plugins: { filter: { enabled: [{ name: 'EBSLimits' }] } } },
      ],
      extenders: [{ prioritizeVerb: 'p', managedResources: [{ name: 'cpu' }] }],
    };
    expect(load(fields)).toEqual([
      'validate',
      'leaderElection.resourceLock: Invalid value: "configmaps": resourceLock value must be "leases"',
      'parallelism: Invalid value: 0: should be an integer value greater than zero',
      expect.stringMatching(/^profiles\[1\]\.plugins\.filter\.enabled\[0\]: Invalid value: "EBSLimits": was invalid/),
      'profiles[1].schedulerName: Duplicate value: {}',
      'percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]',
      'podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to PodInitialBackoffSeconds',
      'extenders[0].weight: Invalid value: 0: must have a positive weight applied to it',
      'extenders[0].managedResources[0].name: Invalid value: "cpu": is an invalid extended resource name',
    ]);
  });

  test('arguments are looked at even when their plugin is off, except those of NodeResourcesFit', () => {
    const off = (name: string) => ({ multiPoint: { disabled: [{ name }] } });
    const affinity = withArgs('InterPodAffinity', { hardPodAffinityWeight: 101 }, off('InterPodAffinity'));
    const fit = { scoringStrategy: { type: 'Foo' } };
    expect(load(affinity)).toEqual(['validate', expect.stringContaining('not in valid range [0, 100]')]);
    expect(load(withArgs('NodeResourcesFit', fit, off('NodeResourcesFit')))).toMatchObject(META);
    expect(load(withArgs('NodeResourcesFit', fit))).toEqual(['build', expect.stringContaining('scoringStrategy.type')]);
  });
});

describe('defaults', () => {
  test('scoring strategy: null is filled in, {} is refused', () => {
    expect(argsOf('NodeResourcesFit', withArgs('NodeResourcesFit', { scoringStrategy: null }))).toMatchObject({
      scoringStrategy: { type: 'LeastAllocated', resources: [{ name: 'cpu' }, { name: 'memory' }] },
    });
    expect(load(withArgs('NodeResourcesFit', { scoringStrategy: {} }))).toEqual([
      'build',
      expect.stringContaining('scoringStrategy.type: Unsupported value: ""'),
    ]);
  });

  test('an internal version knows none', () => {
    const internal = { apiVersion: 'kubescheduler.config.k8s.io/__internal' };
    expect(load({ ...internal })).toEqual(['validate', ...Array.from({ length: 3 }, () => expect.any(String))]);
    expect(argsOf('InterPodAffinity', withArgs('InterPodAffinity', internal))).toMatchObject({
      hardPodAffinityWeight: 0,
    });
  });

  test('an extender decides which resources are ignored', () => {
    const managedResources = [{ name: 'example.com/foo', ignoredByScheduler: true }];
    const fields = {
      ...withArgs('NodeResourcesFit', { ignoredResources: ['example.com/bar'] }),
      extenders: [{ managedResources }],
    };
    expect(argsOf('NodeResourcesFit', fields)).toMatchObject({ ignoredResources: ['example.com/foo'] });
  });

  test('what was written back is accepted again and means the same', () => {
    const text = fc.constantFrom('', 'a', 'b');
    const fields = fc.record(
      {
        parallelism: fc.integer({ min: 1, max: 99 }),
        percentageOfNodesToScore: fc.integer({ min: 0, max: 100 }),
        podInitialBackoffSeconds: fc.integer({ min: 1, max: 10 }),
        enableProfiling: fc.boolean(),
        clientConnection: fc.record({ qps: fc.integer({ max: 9 }), burst: fc.nat(), kubeconfig: text }),
        leaderElection: fc.record({ leaderElect: fc.boolean(), resourceName: text, leaseDuration: fc.constant('1h') }),
        extenders: fc.array(
          fc.record({ urlPrefix: text, filterVerb: text, weight: fc.nat(), ignorable: fc.boolean() }),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fields, (given) => {
        const once = load(given);
        expect(once).toMatchObject(META);
        expect(load(once as object)).toEqual(once);
        expect(load(JSON.stringify(once))).toEqual(once);
      }),
    );
  });
});
