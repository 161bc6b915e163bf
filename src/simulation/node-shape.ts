import type { Node } from '../api/node.ts';
import { parseQuantity, type ResourceList } from '../api/quantity.ts';
import { isScalarResourceName } from '../api/resources.ts';
import { syntheticNode } from '../benchmark/synthetic/basic.ts';
import { CodedError } from '../lib/errors.ts';

/** The amounts of synthetic nodes where the shape does not set them. */
const DEFAULT_AMOUNTS = { cpu: '32', memory: '256Gi', pods: '110' } as const;
const NATIVE = ['cpu', 'memory', 'pods', 'ephemeral-storage'];

/**
 * Parses a shape such as `cpu=64,memory=512Gi,nvidia.com/gpu=8`: the allocatable resources of a node.
 *
 * @throws CodedError `InvalidShape`
 */
function parseShape(text: string): ResourceList {
  const amounts: Record<string, string> = { ...DEFAULT_AMOUNTS };
  const given = new Set<string>();
  for (const part of text.split(',')) {
    const [name = '', amount, ...rest] = part.trim().split('=');
    if (amount === undefined || rest.length > 0) {
      throw shapeError(text, `${JSON.stringify(part)} is not a resource and an amount, such as cpu=32`);
    }
    if (!NATIVE.includes(name) && !isScalarResourceName(name)) {
      throw shapeError(text, `${JSON.stringify(name)} is no resource (such as ${NATIVE.join(', ')}, nvidia.com/gpu)`);
    }
    if (given.has(name)) throw shapeError(text, `${name} is given twice`);
    given.add(name);
    amounts[name] = checkedQuantity(text, name, amount);
  }
  return amounts;
}

/** Nodes with these shapes in turn, in three zones. Without shapes, each node has 32 cpu, 256Gi and 110 pods. */
export function shapedNodes(count: number, shapes: readonly string[]): Node[] {
  const lists = shapes.length === 0 ? [DEFAULT_AMOUNTS] : shapes.map(parseShape);
  return Array.from({ length: count }, (_, i) => {
    const amounts = lists[i % lists.length] as ResourceList;
    const { metadata, ...node } = syntheticNode(i, '', '');
    const { name, labels } = metadata ?? {};
    return { ...node, metadata: { name, labels }, status: { capacity: amounts, allocatable: amounts } };
  });
}

function checkedQuantity(text: string, name: string, amount: string): string {
  try {
    if (Number(parseQuantity(amount).value) >= 0) return amount;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
  }
  throw shapeError(text, `${name}: ${JSON.stringify(amount)} is not an amount`);
}

function shapeError(text: string, reason: string): CodedError<'InvalidShape'> {
  return new CodedError('InvalidShape', `shape ${JSON.stringify(text)}: ${reason}`);
}
