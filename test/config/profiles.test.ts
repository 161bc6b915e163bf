import { describe, expect, test } from 'vitest';
import { checkConfiguration, type SchedulerProfile } from '../../src/index.ts';

interface Sets {
  readonly [point: string]: { readonly enabled?: readonly object[]; readonly disabled?: readonly { name: string }[] };
}

/** The profile, or the reason why it cannot be built. */
function build(plugins: Sets): SchedulerProfile | string {
  const profiles = [{ plugins }];
  const loaded = checkConfiguration({
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles,
  });
  if (!loaded.ok) return loaded.errors[0]?.message ?? '';
  return loaded.configuration.profiles[0] ?? 'no profile';
}

function built(plugins: Sets): SchedulerProfile {
  const profile = build(plugins);
  if (typeof profile === 'string') throw new Error(profile);
  return profile;
}

const named = (...names: string[]) => names.map((name) => ({ name }));
const ESSENTIAL = named('PrioritySort', 'DefaultBinder');
const only = (...enabled: object[]): Sets => ({
  multiPoint: { disabled: named('*'), enabled: [...ESSENTIAL, ...enabled] },
});

describe('the plugins at a point', () => {
  test('overrides first, then multiPoint, then new ones', () => {
    const { plugins } = built({
      ...only(...named('NodeName', 'NodePorts', 'TaintToleration')),
      filter: { enabled: named('VolumeZone', 'TaintToleration', 'NodePorts') },
    });
    expect(plugins.filter).toEqual(['TaintToleration', 'NodePorts', 'NodeName', 'VolumeZone']);
    expect(plugins.preFilter).toEqual(['NodePorts']);
  });

  test('disabled and enabled again stands last', () => {
    const { plugins } = built({ filter: { disabled: named('NodePorts'), enabled: named('NodePorts') } });
    expect(plugins.filter.at(-1)).toBe('NodePorts');
    expect(plugins.filter.filter((name) => name === 'NodePorts')).toHaveLength(1);
  });

  test('a star leaves what is named', () => {
    const { plugins } = built({ filter: { disabled: named('*'), enabled: named('NodeResourcesFit', 'NodeName') } });
    expect(plugins.filter).toEqual(['NodeResourcesFit', 'NodeName']);
    expect(plugins.preFilter).toContain('NodeAffinity');
  });

  test('a default that is named again keeps its place under multiPoint', () => {
    const { plugins, scoreWeights } = built({ multiPoint: { enabled: [{ name: 'NodeAffinity', weight: 9 }] } });
    expect(plugins.score.slice(0, 2)).toEqual(['TaintToleration', 'NodeAffinity']);
    expect(scoreWeights.get('NodeAffinity')).toBe(9);
  });
});

describe('weights', () => {
  test('no weight, and 0, mean 1, not the default', () => {
    const { scoreWeights } = built({
      multiPoint: { enabled: [{ name: 'TaintToleration' }] },
      score: { enabled: [{ name: 'NodeAffinity', weight: 0 }] },
    });
    expect([scoreWeights.get('TaintToleration'), scoreWeights.get('NodeAffinity')]).toEqual([1, 1]);
  });

  test('the score point goes before multiPoint', () => {
    const { scoreWeights } = built({
      multiPoint: { enabled: [{ name: 'ImageLocality', weight: 7 }] },
      score: { enabled: [{ name: 'ImageLocality', weight: 8 }] },
    });
    expect(scoreWeights.get('ImageLocality')).toBe(8);
  });

  test('below zero only where the sum stays above, or nothing follows', () => {
    const resources = (weight: number) => ({ name: 'NodeResourcesFit', weight });
    const image = (weight: number) => ({ name: 'ImageLocality', weight });
    expect(built({ ...only(), score: { enabled: [image(4), resources(-3), { name: 'NodeAffinity' }] } })).toBeTruthy();
    expect(built({ ...only(), score: { enabled: [image(4), resources(-5)] } })).toBeTruthy();
    expect(build({ ...only(), score: { enabled: [resources(-5), image(4)] } })).toMatch(
      /score plugins: total score .* overflow/,
    );
  });
});

describe('a profile that cannot be built', () => {
  test.each<[string, Sets, string]>([
    ['a plugin that does not exist', { filter: { enabled: named('X') } }, 'FilterPlugin "X" does not exist'],
    ['the same under multiPoint', { multiPoint: { enabled: named('X') } }, 'PreFilterPlugin "X" does not exist'],
    [
      'a plugin without the point',
      { score: { enabled: named('NodeName') } },
      'plugin "NodeName" does not extend ScorePlugin plugin',
    ],
    [
      'a plugin twice at a point',
      { filter: { enabled: named('NodeName', 'NodeName') } },
      'plugin "NodeName" already registered as "FilterPlugin"',
    ],
    [
      'a plugin twice under multiPoint',
      only(...named('NodeName', 'NodeName')),
      'plugin "NodeName" already registered as "FilterPlugin"',
    ],
    ['nothing that sorts', { queueSort: { disabled: named('*') } }, 'only one queue sort plugin required'],
    ['nothing that binds', { bind: { disabled: named('*') } }, 'at least one bind plugin is needed'],
  ])('%s', (_, plugins, message) => {
    expect(build(plugins)).toContain(`creating profile for scheduler name default-scheduler: `);
    expect(build(plugins)).toContain(message);
  });
});

describe('profiles share one queue', () => {
  const sorting = { queueSort: { enabled: named('PrioritySort') } };
  const messages = (plugins: Sets, ...configs: (readonly object[])[]): readonly string[] => {
    const profiles = configs.map((pluginConfig, i) => ({ schedulerName: `s${i}`, plugins, pluginConfig }));
    const loaded = checkConfiguration({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      profiles,
    });
    return loaded.ok ? [] : loaded.errors.map(({ message }) => message);
  };
  const withArgs = (x: number) => ({ name: 'PrioritySort', args: { x } });
  const refused = (value: string) =>
    `profiles[1].pluginConfig.args: Invalid value: ${value}: queueSort must be the same for all profiles`;

  test.each<[string, readonly object[], readonly object[], readonly string[]]>([
    ['equal arguments', [withArgs(1)], [withArgs(1)], []],
    ['other arguments', [withArgs(1)], [withArgs(2)], [refused('{"x":2}')]],
    ['arguments after none', [{ name: 'PrioritySort' }], [withArgs(2)], [refused('{"x":2}')]],
    ['none after arguments', [withArgs(1)], [{ name: 'PrioritySort' }], [refused('"null"')]],
    ['null after arguments', [withArgs(1)], [{ name: 'PrioritySort', args: null }], [refused('"null"')]],
    ['none and null', [{ name: 'PrioritySort' }], [{ name: 'PrioritySort', args: null }], []],
  ])('%s', (_, first, second, expected) => {
    expect(messages(sorting, first, second)).toEqual(expected);
  });

  test('a profile without an entry is refused only when it is built', () => {
    expect(messages(sorting, [withArgs(1)], [])).toEqual([
      'initializing profiles: different queue sort plugin args for profile "s1"',
    ]);
  });
});
