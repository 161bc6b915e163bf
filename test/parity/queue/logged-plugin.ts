import { normalizedBy } from '../../../src/engine/cycle/node-scores.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { Plugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import type { LogEntry } from './queue-case.ts';

/** How the log names a method, and which of its arguments is the node. */
const POINTS: Readonly<
  Record<string, { readonly point: string; readonly nodeAt?: number; readonly logsFirst?: true }>
> = {
  preFilter: { point: 'PreFilter' },
  filter: { point: 'Filter', nodeAt: 2 },
  postFilter: { point: 'PostFilter' },
  preScore: { point: 'PreScore' },
  score: { point: 'Score', nodeAt: 2 },
  normalizeScores: { point: 'NormalizeScore' },
  reserve: { point: 'Reserve', nodeAt: 2 },
  unreserve: { point: 'Unreserve', nodeAt: 2, logsFirst: true },
  permit: { point: 'Permit', nodeAt: 2 },
  preBindPreFlight: { point: 'PreBindPreFlight', nodeAt: 2 },
  preBind: { point: 'PreBind', nodeAt: 2 },
  bind: { point: 'Bind', nodeAt: 2 },
  postBind: { point: 'PostBind', nodeAt: 2 },
};

/** What spares a plugin calls that upstream makes. */
const SHORT_CUTS = ['reserves', 'preBinds', 'concerns', 'normalize', 'postFilterWithExtenders'];

/** The plugin, with a log entry for every call. */
export function loggedPlugin<P extends Plugin>(plugin: P, log: (entry: LogEntry) => void): P {
  return new Proxy(plugin, {
    has: (target, key) => memberOf(target, key) !== undefined,
    get(target, key) {
      const member = memberOf(target, key);
      if (typeof member !== 'function') return member;
      const described = POINTS[String(key)];
      if (described === undefined) return member.bind(target);
      return (...args: unknown[]) => {
        const { point, nodeAt, logsFirst } = described;
        const node = nodeAt === undefined ? {} : { node: nodeName(args[nodeAt]) };
        const entry = { k: 'call', plugin: target.name, point, ...node };
        if (logsFirst) log({ ...entry, status: 'Success' });
        const answer: unknown = member.apply(target, args);
        if (!logsFirst) log({ ...entry, status: codeOf(answer) });
        return answer;
      };
    },
  });
}

function memberOf(plugin: Plugin, key: string | symbol): unknown {
  const { normalize } = plugin as Partial<ScorePlugin>;
  if (key === 'normalizeScores' && normalize !== undefined) {
    return normalizedBy.bind(null, plugin as ScorePlugin);
  }
  return SHORT_CUTS.includes(String(key)) ? undefined : Reflect.get(plugin, key, plugin);
}

function nodeName(node: unknown): string {
  return typeof node === 'string' ? node : (node as NodeInfo).name;
}

function codeOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return 'Success';
  if ('status' in answer) return codeOf(answer.status);
  return 'code' in answer ? String(answer.code) : 'Success';
}
