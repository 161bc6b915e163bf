/** How a test server answers for one extender: config-extender's `extenderRules[i]`, by role. */
export interface ExtenderRules {
  readonly filter?: FilterRule;
  readonly prioritize?: PrioritizeRule;
  readonly preempt?: PreemptRule;
  readonly bind?: BindRule;
}

interface CommonRule {
  readonly httpStatus?: number;
  /** Text to answer verbatim. */
  readonly body?: string;
}

interface FilterRule extends CommonRule {
  readonly error?: string;
  readonly message?: string;
  readonly reject?: Selector;
  readonly rejectUnresolvable?: Selector;
  readonly both?: boolean;
  readonly silent?: boolean;
  readonly reverse?: boolean;
  readonly unknown?: string;
  readonly as?: 'names' | 'nodes' | 'none';
  readonly bare?: boolean;
}

interface PrioritizeRule extends CommonRule {
  readonly omit?: Selector;
  readonly add?: number;
  readonly hashMod?: number;
  readonly twice?: boolean;
  readonly unknown?: string;
}

interface PreemptRule extends CommonRule {
  readonly drop?: Selector;
  readonly keepVictims?: number;
  readonly numPDBViolations?: number;
  readonly unknownPod?: boolean;
  readonly unknownNode?: string;
}

interface BindRule extends CommonRule {
  readonly error?: string;
}

/** Node names by their hash. */
interface Selector {
  readonly mod: number;
  readonly is: readonly number[];
}

export interface RuleAnswer {
  readonly status: number;
  readonly body: string;
}

interface NodesArgs {
  readonly Nodes: { readonly items: readonly NodeItem[] } | null;
  readonly NodeNames: readonly string[] | null;
}

interface NodeItem {
  readonly metadata: { readonly name: string };
}

interface Victims {
  readonly Pods: readonly { readonly UID?: string; readonly metadata?: { readonly uid: string } }[];
  readonly NumPDBViolations: number;
}

interface PreemptArgs {
  readonly NodeNameToVictims: Readonly<Record<string, Victims>> | null;
  readonly NodeNameToMetaVictims: Readonly<Record<string, Victims>> | null;
}

export function answerByRule(rules: ExtenderRules, role: keyof ExtenderRules, args: unknown): RuleAnswer {
  const { httpStatus, body }: CommonRule = rules[role] ?? {};
  if (httpStatus !== undefined) return { status: httpStatus, body: '' };
  if (body !== undefined) return { status: 200, body };
  return { status: 200, body: JSON.stringify(answerOf(rules, role, args)) };
}

function answerOf(rules: ExtenderRules, role: keyof ExtenderRules, args: unknown): unknown {
  switch (role) {
    case 'filter':
      return filter(rules.filter ?? {}, args as NodesArgs);
    case 'prioritize':
      return prioritize(rules.prioritize ?? {}, args as NodesArgs);
    case 'preempt':
      return preempt(rules.preempt ?? {}, args as PreemptArgs);
    case 'bind':
      return { Error: rules.bind?.error ?? '' };
  }
}

function filter(rule: FilterRule, args: NodesArgs): unknown {
  const { error, message = '', reject, rejectUnresolvable, both, silent, reverse, unknown, bare } = rule;
  if (error) return { Error: error };
  const failed: Record<string, string> = {};
  const unresolvable: Record<string, string> = {};
  const kept: string[] = [];
  for (const name of namesOf(args)) {
    if (matches(rejectUnresolvable, name)) {
      unresolvable[name] = message;
      if (both) failed[name] = `${message} (resolvable)`;
    } else if (matches(reject, name)) failed[name] = message;
    else kept.push(name);
  }
  if (reverse) kept.reverse();
  if (unknown) kept.push(unknown);
  const as = rule.as ?? (args.NodeNames === null ? 'nodes' : 'names');
  const known = new Map((args.Nodes?.items ?? []).map((node) => [node.metadata.name, node]));
  const items = kept.map((name) => (bare ? undefined : known.get(name)) ?? { metadata: { name } });
  return {
    Nodes: as === 'nodes' ? { items } : null,
    NodeNames: as === 'names' ? kept : null,
    FailedNodes: silent ? {} : failed,
    FailedAndUnresolvableNodes: silent ? {} : unresolvable,
  };
}

function prioritize({ omit, add = 0, hashMod, twice, unknown }: PrioritizeRule, args: NodesArgs): unknown {
  const entries = namesOf(args).flatMap((name) => {
    if (matches(omit, name)) return [];
    const entry = { Host: name, Score: add + (hashMod ? fnv1a(name) % hashMod : 0) };
    return twice ? [entry, { Host: name, Score: 1 }] : [entry];
  });
  return unknown ? [...entries, { Host: unknown, Score: 10 }] : entries;
}

function preempt(rule: PreemptRule, args: PreemptArgs): unknown {
  const victims = Object.entries(args.NodeNameToVictims ?? args.NodeNameToMetaVictims ?? {});
  const answer = victims
    .filter(([node]) => !matches(rule.drop, node))
    .map(([node, { Pods, NumPDBViolations }]) => {
      const pods = Pods.map(({ UID, metadata }) => ({ UID: UID ?? metadata?.uid }));
      const kept = rule.keepVictims === undefined ? pods : pods.slice(0, rule.keepVictims);
      if (rule.unknownPod) kept.push({ UID: 'no-such-uid' });
      return [node, { Pods: kept, NumPDBViolations: rule.numPDBViolations ?? NumPDBViolations }] as const;
    });
  const result: Record<string, unknown> = Object.fromEntries(answer);
  if (rule.unknownNode) result[rule.unknownNode] = { Pods: [], NumPDBViolations: 0 };
  return { NodeNameToMetaVictims: result };
}

function namesOf({ Nodes, NodeNames }: NodesArgs): readonly string[] {
  return NodeNames ?? (Nodes?.items ?? []).map(({ metadata }) => metadata.name);
}

function matches(selector: Selector | undefined, name: string): boolean {
  return selector?.is.includes(fnv1a(name) % selector.mod) ?? false;
}

/** 32 bits, over UTF-8. */
function fnv1a(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
