import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import type { ResourceList } from '../../api/quantity.ts';
import type { CSINode } from '../../api/storage.ts';
import { HOSTNAME_LABEL } from '../../api/topology-spread.ts';
import { combined } from '../../lib/combined.ts';
import { generatedName, type NameSource } from '../../store/objects/names.ts';
import type { NodesStep } from '../config/steps.ts';
import type { ObjectMaker } from '../template/object-template.ts';
import { inTasks, type RunContext, runDueTasks } from './run-context.ts';

const MIGRATED_PLUGINS_ANNOTATION = 'storage.alpha.kubernetes.io/migrated-plugins';

const BASE_STATUS = {
  capacity: { pods: '110', cpu: '4', memory: '32Gi' },
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True' }],
};

/** A node, and the objects that belong to it. */
export interface NewNode {
  readonly node: Node;
  readonly csiNode: CSINode | undefined;
}

interface NodeSource {
  readonly step: NodesStep;
  /** The index of the step, which is part of the names of nodes without a template. */
  readonly index: number;
  readonly maker: ObjectMaker | undefined;
  readonly names: NameSource;
  /** The features that the nodes declare besides those of their template. */
  readonly features: readonly string[];
}

/**
 * Makes the nodes of one step from its template or upstream's default one, with the hostname label that kubelets set,
 * and prepared by the step's strategy.
 */
export function nodeFactory({ step, index: stepIndex, maker, names, features }: NodeSource) {
  const { nodeAllocatableStrategy: strategy, labelNodePrepareStrategy: turns, uniqueNodeLabelStrategy: unique } = step;
  const base: Node = { metadata: { generateName: `node-${stepIndex}-` }, status: BASE_STATUS };
  const used = new Set<string>();
  // A free name cannot be left to the API, because the hostname label contains the name.
  const newName = (beginning: string): string => {
    const name = generatedName(beginning, names);
    if (used.has(name)) return newName(beginning);
    used.add(name);
    return name;
  };
  const strategyLabels = (index: number): Labels => {
    if (strategy !== undefined) return {};
    if (turns !== undefined) {
      return { [turns.labelKey]: turns.labelValues[index % turns.labelValues.length] as string };
    }
    return unique === undefined ? {} : { [unique.labelKey]: names.uid() };
  };
  return (index: number): NewNode => {
    const template = declaring(maker?.at(index) ?? base, features);
    const { metadata = {}, status } = template;
    const name = metadata.name || newName(metadata.generateName ?? '');
    const labels = combined(combined(metadata.labels, { [HOSTNAME_LABEL]: name }), strategyLabels(index));
    const node: Node = combined(template, { metadata: combined(metadata, { name, labels }) });
    if (strategy === undefined) return { node, csiNode: undefined };
    const allocatable = combined<ResourceList, ResourceList>(
      status?.allocatable ?? status?.capacity,
      strategy.nodeAllocatable,
    );
    return { node: combined(node, { status: combined(status, { allocatable }) }), csiNode: csiNodeOf(name, strategy) };
  };
}

function declaring(node: Node, features: readonly string[]): Node {
  if (features.length === 0) return node;
  const declaredFeatures = [...new Set([...(node.status?.declaredFeatures ?? []), ...features])].sort();
  return combined(node, { status: combined(node.status, { declaredFeatures }) });
}

function csiNodeOf(
  name: string,
  { csiNodeAllocatable, migratedPlugins = [] }: NonNullable<NodesStep['nodeAllocatableStrategy']>,
): CSINode {
  const drivers = [...(csiNodeAllocatable ?? [])].map(([driver, allocatable]) => ({
    name: driver,
    nodeID: name,
    allocatable,
  }));
  const annotations = { [MIGRATED_PLUGINS_ANNOTATION]: migratedPlugins.join(',') };
  return { metadata: { name, annotations }, spec: { drivers } };
}

export async function createNodes(
  context: RunContext,
  count: number,
  nodeAt: (index: number) => NewNode,
): Promise<void> {
  await inTasks(context, count, (i) => {
    const { node, csiNode } = nodeAt(i);
    context.store.create('nodes', node);
    if (csiNode !== undefined) context.store.create('csinodes', csiNode);
  });
  await runDueTasks(context);
}
