import type { Node } from '../../api/node.ts';

/** A condition for nodes that take part in a count; conditions with equal keys are equal. */
export interface NodeCondition {
  readonly key: string;
  includes(node: Node): boolean;
}

export const EVERY_NODE: NodeCondition = { key: '', includes: () => true };
