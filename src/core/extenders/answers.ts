import type { Node } from '../../api/node.ts';
import { parseQuantity } from '../../api/quantity.ts';
import { type Check, isMissing } from '../../api/validation/check.ts';
import { arrayOf, boolean, integer, mapOf, object, string } from '../../api/validation/shapes.ts';
import {
  fieldOf,
  type GoReader,
  goInt64,
  goList,
  goMap,
  goString,
  goStruct,
  parseExactly,
  WrongAnswer,
} from '../../config/decode/go-answer.ts';
import { type DecodedJson, decodeFirstJson } from '../../lib/go-json.ts';
import type { Int64 } from '../../lib/int64.ts';

/** The answer to a filter request (k8s.io/kube-scheduler/extender/v1); null for a field that is absent or null. */
export interface FilterAnswer {
  readonly nodes: readonly Node[] | null;
  readonly nodeNames: readonly string[] | null;
  /** The reason for each node, by node name. */
  readonly failedNodes: ReadonlyMap<string, string>;
  readonly failedAndUnresolvableNodes: ReadonlyMap<string, string>;
  /** '' if the extender reports no error. */
  readonly error: string;
}

export interface HostPriority {
  readonly host: string;
  readonly score: Int64;
}

export interface NamedVictims {
  readonly uids: readonly string[];
  readonly pdbViolations: Int64;
}

/** The answer of an extender, or why it cannot be used. */
export type Read<T> = { readonly answer: T } | { readonly error: string };

const FILTER_RESULT = goStruct('v1.ExtenderFilterResult');
const NODE_LIST = goStruct('v1.NodeList');
const BINDING_RESULT = goStruct('v1.ExtenderBindingResult');
const PREEMPTION_RESULT = goStruct('v1.ExtenderPreemptionResult');

export function readFilterAnswer(body: string): Read<FilterAnswer> {
  return reading(decodeFirstJson(body), (value) => {
    const result = FILTER_RESULT(value, null);
    const field = (name: string) => fieldOf('ExtenderFilterResult', name);
    const failed = goMap('v1.FailedNodesMap', goString);
    return {
      nodes: readNodes(result.get('nodes')),
      nodeNames: goList('[]string', goString)(result.get('nodenames'), field('NodeNames')),
      failedNodes: failed(result.get('failednodes'), field('FailedNodes')),
      failedAndUnresolvableNodes: failed(result.get('failedandunresolvablenodes'), field('FailedAndUnresolvableNodes')),
      error: goString(result.get('error'), field('Error')),
    };
  });
}

function readNodes(value: unknown): Node[] | null {
  if (isMissing(value)) return null;
  const list = NODE_LIST(value, fieldOf('ExtenderFilterResult', 'Nodes'));
  const field = fieldOf('NodeList', 'Nodes.items');
  return goList('[]v1.Node', (item) => checkedNode(item))(list.get('items'), field) ?? [];
}

const quantity: Check = (value, field, problems) => {
  try {
    parseQuantity(value as string | number);
  } catch (error) {
    problems.push({ field, reason: error instanceof Error ? error.message : String(error) });
  }
};

const anyName: Check = () => {};
const strings = mapOf(anyName, string);

/** The types of the fields of a node that scheduling reads; names and labels are not checked. */
const nodeShape = object({
  metadata: object({ name: string, labels: strings, annotations: strings }),
  spec: object({ unschedulable: boolean, taints: arrayOf(object({ key: string, value: string, effect: string })) }),
  status: object({
    allocatable: mapOf(anyName, quantity),
    images: arrayOf(object({ names: arrayOf(string), sizeBytes: integer(-(2 ** 53), 2 ** 53) })),
    declaredFeatures: arrayOf(string),
  }),
});

function checkedNode(value: unknown): Node {
  const problems: { field: string; reason: string }[] = [];
  nodeShape(value ?? {}, 'Nodes.items', problems);
  const [problem] = problems;
  if (problem !== undefined) throw new WrongAnswer(`json: cannot unmarshal ${problem.field}: ${problem.reason}`);
  return (value ?? {}) as Node;
}

/** Reads one entry for each node; a node may have several entries. */
export function readPriorities(body: string): Read<readonly HostPriority[]> {
  return reading(decodeExactly(body), (value) => goList('v1.HostPriorityList', readPriority)(value, null) ?? []);
}

const readPriority: GoReader<HostPriority> = (value) => {
  const entry = goStruct('v1.HostPriority')(value, null);
  return {
    host: goString(entry.get('host'), fieldOf('HostPriority', 'Host')),
    score: goInt64(entry.get('score'), fieldOf('HostPriority', 'Score')),
  };
};

export function readPreemptionAnswer(body: string): Read<ReadonlyMap<string, NamedVictims>> {
  return reading(decodeExactly(body), (value) => {
    const field = fieldOf('ExtenderPreemptionResult', 'NodeNameToMetaVictims');
    const victims = PREEMPTION_RESULT(value, null).get('nodenametometavictims');
    return goMap('map[string]*v1.MetaVictims', readVictims)(victims, field);
  });
}

const readVictims: GoReader<NamedVictims> = (value, outer) => {
  const victims = goStruct('v1.MetaVictims')(value, outer);
  const pods = fieldOf('MetaVictims', 'Pods', outer);
  const uidOf: GoReader<string> = (pod) =>
    goString(goStruct('v1.MetaPod')(pod, pods).get('uid'), fieldOf('MetaPod', 'UID', pods));
  return {
    uids: goList('[]*v1.MetaPod', uidOf)(victims.get('pods'), pods) ?? [],
    pdbViolations: goInt64(victims.get('numpdbviolations'), fieldOf('MetaVictims', 'NumPDBViolations', outer)),
  };
};

/** Reads whether the extender has bound the pod. */
export function readBindingAnswer(body: string): Read<null> {
  const read = reading(decodeFirstJson(body), (value) =>
    goString(BINDING_RESULT(value, null).get('error'), fieldOf('ExtenderBindingResult', 'Error')),
  );
  if ('error' in read) return read;
  return read.answer === '' ? { answer: null } : { error: read.answer };
}

/** Decodes JSON so that numbers keep their text. */
function decodeExactly(body: string): DecodedJson {
  const decoded = decodeFirstJson(body);
  return 'error' in decoded ? decoded : { ...decoded, value: parseExactly(decoded.text) };
}

function reading<T>(decoded: DecodedJson, read: (value: unknown) => T): Read<T> {
  if ('error' in decoded) return decoded;
  try {
    return { answer: read(decoded.value) };
  } catch (error) {
    if (!(error instanceof WrongAnswer)) throw error;
    return { error: error.message };
  }
}
