import type { Node } from '../../api/node.ts';
import { parseQuantity } from '../../api/quantity.ts';
import { type Check, isMissing } from '../../api/validation/check.ts';
import { arrayOf, boolean, integer, mapOf, object, string } from '../../api/validation/shapes.ts';
import { type DecodedJson, decodeFirstJson } from '../../lib/go-json.ts';
import type { Int64 } from '../../lib/int64.ts';
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
} from './go-answer.ts';

/** What an extender answers (k8s.io/kube-scheduler/extender/v1); null: the field was not there, or null. */
export interface FilterAnswer {
  readonly nodes: readonly Node[] | null;
  readonly nodeNames: readonly string[] | null;
  /** Why, by node name. */
  readonly failedNodes: ReadonlyMap<string, string>;
  readonly failedAndUnresolvableNodes: ReadonlyMap<string, string>;
  /** '' when the extender has no complaint. */
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

/** The answer, or why it cannot be read. */
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

/** What scheduling reads of a node, as far as types go: any name and any label will do. */
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

/** One entry a node; a node may come twice. */
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

/** The extender's complaint; '' when it has bound the pod. */
export function readBindingAnswer(body: string): Read<string> {
  return reading(decodeFirstJson(body), (value) =>
    goString(BINDING_RESULT(value, null).get('error'), fieldOf('ExtenderBindingResult', 'Error')),
  );
}

/** Numbers with their text. */
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
