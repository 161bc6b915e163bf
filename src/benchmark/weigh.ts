import { loadCluster } from '../manifests/load-cluster.ts';
import type { PreparedCase } from './bench-case.ts';
import type { MemoryMeter } from './memory-meter.ts';
import type { BytesKept } from './result.ts';

/** Enough pods to include the first of each signature. */
const FIRST_PODS = 500;
/** Compiled code, and columns that double in size, vary by 100 KB; fewer pods would not stand out from that. */
const PODS_TO_WEIGH_MIN = 2000;

/**
 * Measures the memory that a scheduler keeps for a cluster and for `podCount` pods that it places. It runs after
 * everything has been timed, since a full garbage collection also discards compiled code.
 */
export function weigh(prepared: PreparedCase, podCount: number, memory: MemoryMeter): BytesKept {
  const { benchCase, selection, placeAll, isPreempting, createSubject } = prepared;
  const { cluster } = benchCase;
  const pending = prepared.pending.slice(0, podCount);
  const firstPods = pending.slice(0, Math.min(FIRST_PODS, Math.ceil(pending.length / 2)));

  const before = memory.usedBytes();
  const subject = createSubject();
  const used = () => memory.usedBytes() + subject.sharedMemoryBytes;
  loadCluster(subject, cluster, { ...selection, bound: [], pending: [] });
  const withNodes = used();
  loadCluster(subject, { nodes: [], pods: [] }, selection);
  const loaded = selection.bound.length > 0 ? used() : withNodes;
  const first = placeAll(subject, firstPods).scheduled;
  const withFirst = used();
  const later = placeAll(subject, pending.slice(firstPods.length)).scheduled;
  const end = later > 0 ? used() : withFirst;
  subject[Symbol.dispose]?.();

  const nodeCount = Math.max(cluster.nodes.length, 1);
  const bytesPerNode = wholeBytes((withNodes - before) / nodeCount);
  // The first pods also add their signatures; the pods after them do not, which tells both parts apart. A pod that
  // evicts another adds nothing, but then there are pods that were on nodes before.
  const known = isPreempting
    ? { bytes: loaded - withNodes, pods: selection.bound.length, first: 0 }
    : { bytes: end - withFirst, pods: later, first };
  if (known.pods < PODS_TO_WEIGH_MIN) return { bytesPerNode, classBytesPerNode: null, bytesPerPod: null };
  const bytesPerPod = known.bytes / known.pods;
  const classBytes = withFirst - loaded - known.first * bytesPerPod;
  return { bytesPerNode, classBytesPerNode: wholeBytes(classBytes / nodeCount), bytesPerPod: wholeBytes(bytesPerPod) };
}

function wholeBytes(bytes: number): number {
  return Math.max(0, Math.round(bytes));
}
