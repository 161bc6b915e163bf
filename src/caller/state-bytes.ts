import type { Pod, PodSpec } from '../api/pod.ts';
import { mayBeResized } from '../api/pod-requests.ts';
import type { ClusterRecord, NodeRecord, PodRecord } from '../framework/cluster/cluster-record.ts';
import type { PodRequirements } from '../framework/pod-info.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';

/** "Bert" as a number, which stands before every snapshot. */
const MAGIC = 0x74726542;
const STATE_VERSION = 1;
/** Magic, version, checksum of the text, length of the text. */
const HEADER_BYTES = 16;

/** All that decides how the next decisions turn out. */
export interface SchedulerRecord {
  readonly cluster: ClusterRecord;
  readonly search: number;
  readonly prng: readonly number[];
}

/** The number of a spec without its node, the rest of the pod, and its places. */
type PodEntry = readonly [
  spec: number,
  rest: Omit<Pod, 'spec'>,
  ownNode: string | null,
  node: string,
  nominated: string,
];

/**
 * Writes a record as bytes: a header, and JSON in which equal specs of pods stand once.
 *
 *   0     4        8         12      16
 *   │ Bert │ version │ checksum │ length │ JSON in UTF-8
 */
export function encodeState({ cluster, search, prng }: SchedulerRecord): Uint8Array {
  const specs = new SpecNumbers();
  const podEntry = ({ pod, nodeName, nominatedNodeName }: PodRecord): PodEntry => {
    const { spec, ...rest } = pod;
    return [specs.of(spec), rest, spec?.nodeName ?? null, nodeName, nominatedNodeName];
  };
  const nodeEntry = ({ node, pods, usedPorts }: NodeRecord) => [node, pods.map(podEntry), usedPorts];
  const { nodes, ghosts, pending, objects, assumed, snapshot } = cluster;
  const lists = { nodes: nodes.map(nodeEntry), ghosts: ghosts.map(nodeEntry), pending: pending.map(podEntry) };
  const text = new TextEncoder().encode(
    JSON.stringify({
      ...{ ...lists, objects, assumed, snapshot, search, prng },
      specs: specs.texts.map((spec) => JSON.parse(spec)),
    }),
  );
  const bytes = new Uint8Array(HEADER_BYTES + text.length);
  const header = new DataView(bytes.buffer);
  for (const [i, word] of [MAGIC, STATE_VERSION, checksumOf(text), text.length].entries()) {
    header.setUint32(i * 4, word, true);
  }
  bytes.set(text, HEADER_BYTES);
  return bytes;
}

/**
 * Reads what `encodeState` has written. `requirementsOf`: those of a pod on a node, which pods with one spec share.
 * Errors: UnsupportedVersion; Invalid for other bytes, and for those that were damaged.
 */
export function decodeState(bytes: Uint8Array, requirementsOf: (pod: Pod) => PodRequirements): SchedulerRecord {
  const { nodes, ghosts, pending, specs, objects, assumed, snapshot, search, prng } = JSON.parse(textOf(bytes));
  const known: (PodRequirements | undefined)[] = [];
  const podRecord = ([number, rest, ownNode, nodeName, nominatedNodeName]: PodEntry): PodRecord => {
    const shared: PodSpec | undefined = number < 0 ? undefined : specs[number];
    const spec = shared !== undefined && ownNode !== null ? { ...shared, nodeName: ownNode } : shared;
    const pod: Pod = spec === undefined ? rest : { ...rest, spec };
    // A pending pod is encoded when it is scheduled, and the requests of a pod that is resized are its own.
    if (nodeName === '' || mayBeResized(pod.status) || number < 0) {
      return { pod, requirements: null, nodeName, nominatedNodeName };
    }
    known[number] ??= requirementsOf(pod);
    return { pod, requirements: known[number], nodeName, nominatedNodeName };
  };
  const nodeRecord = ([node, pods, usedPorts]: [NodeRecord['node'], PodEntry[], NodeRecord['usedPorts']]) => ({
    node,
    pods: pods.map(podRecord),
    usedPorts,
  });
  const lists = { nodes: nodes.map(nodeRecord), ghosts: ghosts.map(nodeRecord), pending: pending.map(podRecord) };
  return { cluster: { ...lists, objects, assumed, snapshot }, search, prng };
}

function textOf(bytes: Uint8Array): string {
  const refused = (reason: string): SchedulerError => new SchedulerError('Invalid', `snapshot: ${reason}`);
  if (!(bytes instanceof Uint8Array) || bytes.length < HEADER_BYTES) throw refused('these are not the bytes of one');
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (i: number): number => header.getUint32(i * 4, true);
  if (word(0) !== MAGIC) throw refused('these are not the bytes of one');
  if (word(1) !== STATE_VERSION) {
    const versions = `it has version ${word(1)}, and this library reads version ${STATE_VERSION}`;
    throw new SchedulerError('UnsupportedVersion', `snapshot: ${versions}`);
  }
  const text = bytes.subarray(HEADER_BYTES);
  if (text.length !== word(3) || checksumOf(text) !== word(2)) throw refused('the bytes are damaged');
  return new TextDecoder().decode(text);
}

/** FNV-1a over the bytes. */
function checksumOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash >>> 0;
}

/** Numbers for specs, equal for specs that are equal but for their node. */
class SpecNumbers {
  readonly texts: string[] = [];
  readonly #byText = new Map<string, number>();
  readonly #bySpec = new Map<PodSpec, number>();

  /** The number of the spec; -1 without one. */
  of(spec: PodSpec | undefined): number {
    if (spec === undefined) return -1;
    let number = this.#bySpec.get(spec);
    if (number === undefined) {
      const text = JSON.stringify(spec.nodeName === undefined ? spec : { ...spec, nodeName: undefined });
      number = this.#byText.get(text);
      if (number === undefined) {
        number = this.texts.push(text) - 1;
        this.#byText.set(text, number);
      }
      this.#bySpec.set(spec, number);
    }
    return number;
  }
}
