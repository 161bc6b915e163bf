import { describe, expect, test } from 'vitest';
import { checkConfiguration, type PluginHandle, type PluginRegistry, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { configurationWith } from './lab-plugin.ts';

/** The error of the constructor for such a plugin, which is enabled at every point by default. */
function refusal(plugin: unknown, name = 'Mine', plugins: object = {}): string {
  const registry = { [name]: typeof plugin === 'function' ? plugin : () => plugin } as unknown as PluginRegistry;
  const enabled = { multiPoint: { enabled: [{ name }] }, ...plugins };
  const document = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: enabled }],
  };
  const loaded = checkConfiguration(document, { plugins: registry });
  if (!loaded.ok) return `${loaded.stage}: ${loaded.errors[0]?.message}`;
  try {
    new Scheduler({ plugins: registry, configuration: loaded.configuration });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'none';
}

const filter = () => null;

describe('mistakes are named, with the option', () => {
  test.each([
    ['nothing', null, 'plugins.Mine: null is no plugin'],
    ['another name', { name: 'Other', filter }, 'plugins.Mine: the plugin calls itself "Other"'],
    ['no method', { name: 'Mine' }, /^plugins\.Mine: the plugin has no method of an extension point: preEnqueue, /],
    ['reserve alone', { name: 'Mine', reserve: filter }, 'plugins.Mine: reserve needs unreserve'],
    [
      'columns alone',
      { name: 'Mine', filterColumns: filter, score: filter },
      'plugins.Mine: filterColumns needs filter',
    ],
    [
      'normalizeScore alone',
      { name: 'Mine', filter, normalizeScore: filter },
      'plugins.Mine: normalizeScore needs score',
    ],
    [
      'an unknown reads',
      { name: 'Mine', filter, filterReads: 'images' },
      'plugins.Mine: filterReads: "images" is none of node, nodePods, cluster',
    ],
    [
      'nothing to depend on',
      { name: 'Mine', filter, filterReads: 'node' },
      'plugins.Mine: filterReads "node" needs dependsOn',
    ],
    [
      'columns of everything',
      { name: 'Mine', filter, columnStatuses: filter, filterColumns: filter },
      'plugins.Mine: filterColumns needs filterReads "node" or "nodePods"',
    ],
    [
      'a factory that throws',
      () => {
        throw new Error('no args');
      },
      'plugins.Mine: initializing plugin "Mine": no args',
    ],
  ])('%s', (_, plugin, message) => {
    expect(refusal(plugin)).toEqual(
      expect.stringMatching(message instanceof RegExp ? message : `^${escaped(message)}$`),
    );
  });

  test('a name that is taken', () => {
    const plugins = { NodeName: () => ({ name: 'NodeName', filter }) };
    expect(() => new Scheduler({ plugins })).toThrow(
      'plugins.NodeName: a plugin of this name comes with the scheduler',
    );
    expect(() => new Scheduler({ plugins: { Mine: {} } as never })).toThrow(
      'plugins.Mine: an object with nothing makes no plugin',
    );
  });

  test('enabled where it has no method', () => {
    const score = { score: { enabled: [{ name: 'Mine' }] } };
    expect(refusal({ name: 'Mine', filter }, 'Mine', score)).toBe(
      'plugins.Mine: plugin "Mine" does not extend ScorePlugin plugin',
    );
  });

  test('enabled, but nobody knows it', () => {
    expect(configurationError({})).toBe(
      'initializing profiles: creating profile for scheduler name default-scheduler: ' +
        'PreFilterPlugin "Mine" does not exist',
    );
    const configuration = configurationWith({ Mine: () => ({ name: 'Mine', filter }) });
    expect(() => new Scheduler({ configuration })).toThrow(
      'plugins.Mine: profile "default-scheduler" enables the plugin, but nobody has registered it',
    );
  });

  test('registered, but not enabled: it has no part', () => {
    const plugins = {
      Mine: () => {
        throw new Error('never made');
      },
    };
    expect(new Scheduler({ plugins }).schedule(makePod('p'))).toMatchObject({ status: 'unschedulable' });
  });
});

function configurationError(plugins: Record<string, unknown>): string | undefined {
  const document = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'Mine' }] } } }],
  };
  const loaded = checkConfiguration(document, { plugins });
  return loaded.ok ? undefined : loaded.errors[0]?.message;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

test('arguments reach the plugin as they were written, with a handle', () => {
  const seen: unknown[] = [];
  let handle: PluginHandle | undefined;
  const plugins: PluginRegistry = {
    Mine: (args, given) => {
      seen.push(args);
      handle = given;
      return { name: 'Mine', score: (_state, _pod, { name }) => (name === 'b' ? 100 : 0) };
    },
  };
  const args = { threshold: 7, names: ['x'] };
  const configuration = configurationWith(plugins, 9, { pluginConfig: [{ name: 'Mine', args }] });
  const scheduler = new Scheduler({ plugins, configuration });
  expect(seen).toEqual([args]);
  for (const name of ['a', 'b']) scheduler.addNode(makeNode(name));
  expect(handle?.store).toBeNull();
  // Enabled with weight 9.
  const [, b] = scheduler.explain(makePod('p')).nodes;
  expect(b?.scores.find(({ plugin }) => plugin === 'Mine')).toMatchObject({ raw: 100, weighted: 900 });
  expect(scheduler.schedule(makePod('p'))).toMatchObject({ node: 'b' });
  expect(handle?.snapshot.nodeInfos().map(({ name }) => name)).toEqual(['a', 'b']);
});

test('each profile has a plugin of its own', () => {
  const made: unknown[] = [];
  const plugins: PluginRegistry = {
    Mine: (args) => {
      made.push(args);
      return { name: 'Mine', filter };
    },
  };
  const profile = (schedulerName: string, args?: object) => ({
    schedulerName,
    plugins: { filter: { enabled: [{ name: 'Mine' }] } },
    ...(args && { pluginConfig: [{ name: 'Mine', args }] }),
  });
  const loaded = checkConfiguration(
    {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      profiles: [profile('one', { a: 1 }), profile('two')],
    },
    { plugins },
  );
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  new Scheduler({ plugins, configuration: loaded.configuration });
  expect(made).toEqual([{ a: 1 }, undefined]);
});
