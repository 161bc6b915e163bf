import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import type { ResourceList } from '../../api/quantity.ts';
import type { CSINode } from '../../api/storage.ts';
import { generatedName, type NameSource } from '../../store/objects/names.ts';
import type { NodesStep } from '../config/steps.ts';
import type { ObjectMaker } from '../template/object-template.ts';

const HOSTNAME_LABEL = 'kubernetes.io/hostname';
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

/**
 * The nodes of one step, made from its template or upstream's default one, with the hostname label that kubelets set,
 * and prepared by the step's strategy.
 */
export class NodeFactory {
  readonly #step: NodesStep;
  readonly #maker: ObjectMaker | undefined;
  readonly #generateName: string;
  readonly #names: NameSource;
  readonly #used = new Set<string>();

  /** `index`: the index of the step, which is part of the names of nodes without a template. */
  constructor(step: NodesStep, index: number, maker: ObjectMaker | undefined, names: NameSource) {
    this.#step = step;
    this.#maker = maker;
    this.#generateName = `node-${index}-`;
    this.#names = names;
  }

  at(index: number): NewNode {
    const template: Node = this.#maker?.at(index) ?? {
      metadata: { generateName: this.#generateName },
      status: BASE_STATUS,
    };
    const { metadata = {}, status } = template;
    const name = metadata.name || this.#newName(metadata.generateName ?? '');
    const { nodeAllocatableStrategy: strategy } = this.#step;
    const labels = { ...metadata.labels, [HOSTNAME_LABEL]: name, ...this.#strategyLabels(index) };
    const node: Node = { ...template, metadata: { ...metadata, name, labels } };
    if (strategy === undefined) return { node, csiNode: undefined };
    const allocatable: ResourceList = { ...(status?.allocatable ?? status?.capacity), ...strategy.nodeAllocatable };
    return { node: { ...node, status: { ...status, allocatable } }, csiNode: csiNodeOf(name, strategy) };
  }

  /** Generates a free name. This cannot be left to the API, because the hostname label contains the name. */
  #newName(beginning: string): string {
    for (;;) {
      const name = generatedName(beginning, this.#names);
      if (!this.#used.has(name)) {
        this.#used.add(name);
        return name;
      }
    }
  }

  #strategyLabels(index: number): Labels {
    const {
      nodeAllocatableStrategy: allocatable,
      labelNodePrepareStrategy: turns,
      uniqueNodeLabelStrategy: unique,
    } = this.#step;
    if (allocatable !== undefined) return {};
    if (turns !== undefined) {
      return { [turns.labelKey]: turns.labelValues[index % turns.labelValues.length] as string };
    }
    return unique === undefined ? {} : { [unique.labelKey]: this.#names.uid() };
  }
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
