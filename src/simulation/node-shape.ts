import { labelKeyProblems, labelValueProblems } from '../api/label-syntax.ts';
import type { Labels } from '../api/meta.ts';
import type { Node, Taint } from '../api/node.ts';
import { parseQuantity, type ResourceList } from '../api/quantity.ts';
import type { DeviceClass, ResourceSlice } from '../api/resource-claims.ts';
import { isScalarResourceName } from '../api/resources.ts';
import { syntheticNode } from '../benchmark/synthetic/basic.ts';
import { combined } from '../lib/combined.ts';
import { CodedError } from '../lib/errors.ts';
import { classesOf, DEVICE_KINDS, DEVICES_MAX, type ShapeDevices, slicesOf, withProperty } from './shape-devices.ts';

/** The amounts of synthetic nodes where the shape does not set them. */
const DEFAULT_AMOUNTS = { cpu: '32', memory: '256Gi', pods: '110' } as const;
const NATIVE = ['cpu', 'memory', 'pods', 'ephemeral-storage'];

/** What a node of a shape offers, and how it is marked. */
export interface NodeShape {
  readonly amounts: ResourceList;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly devices: readonly ShapeDevices[];
}

/**
 * Parses a shape such as `cpu=64,memory=512Gi,nvidia.com/gpu=8,label:pool=gpu,taint:gpu=yes:NoSchedule`: the
 * allocatable resources of a node, its labels and its taints. `gpu=8,model=h100,vram=80Gi` stands for eight devices,
 * with an attribute and a capacity.
 *
 * @throws CodedError `InvalidShape`
 */
export function parseShape(text: string): NodeShape {
  const amounts: Record<string, string> = { ...DEFAULT_AMOUNTS };
  const labels: Record<string, string> = {};
  const taints: Taint[] = [];
  const devices: ShapeDevices[] = [];
  const given = new Set<string>();
  const refuseTwice = (name: string): void => {
    if (given.has(name)) throw shapeError(text, `${name} is given twice`);
    given.add(name);
  };
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part.startsWith('label:')) {
      const [key, value] = labelOf(text, part.slice('label:'.length));
      refuseTwice(`label:${key}`);
      labels[key] = value;
    } else if (part.startsWith('taint:')) {
      const taint = taintOf(text, part.slice('taint:'.length));
      refuseTwice(`taint:${taint.key}:${taint.effect}`);
      taints.push(taint);
    } else if (isDevice(part)) {
      const own = devicesOf(text, part);
      refuseTwice(`device:${own.kind}`);
      devices.push(own);
    } else {
      const [name, amount] = partsOf(text, part);
      const last = devices.at(-1);
      if (last !== undefined && isPropertyName(name)) {
        refuseTwice(`device:${last.kind} ${name}`);
        devices[devices.length - 1] = withProperty(last, name, amount);
        continue;
      }
      refuseTwice(name);
      amounts[name] = checkedAmount(text, name, amount);
    }
  }
  return { amounts, labels, taints, devices };
}

const DEFAULT_SHAPE: NodeShape = { amounts: DEFAULT_AMOUNTS, labels: {}, taints: [], devices: [] };

/** Nodes with these shapes in turn, in three zones. Without shapes, each node has 32 cpu, 256Gi and 110 pods. */
export function shapedNodes(count: number, shapes: readonly string[]): Node[] {
  const parsed = shapes.length === 0 ? [DEFAULT_SHAPE] : shapes.map(parseShape);
  return Array.from({ length: count }, (_, i) => {
    const { amounts, labels, taints } = parsed[i % parsed.length] as NodeShape;
    const { metadata, ...node } = syntheticNode(i, '', '', { labels, spec: taints.length === 0 ? {} : { taints } });
    const own = { name: metadata?.name, labels: metadata?.labels };
    return combined(node, { metadata: own, status: { capacity: amounts, allocatable: amounts } });
  });
}

/** The slices of the devices of `shapedNodes`, and the classes of these devices. */
export function shapedDevices(
  count: number,
  shapes: readonly string[],
): { readonly slices: readonly ResourceSlice[]; readonly classes: readonly DeviceClass[] } {
  const parsed = shapes.map(parseShape);
  const devicesOfNode = (i: number): readonly ShapeDevices[] => parsed[i % parsed.length]?.devices ?? [];
  const nodes = parsed.some(({ devices }) => devices.length > 0) ? shapedNodes(count, shapes) : [];
  return {
    slices: nodes.flatMap(({ metadata }, i) => slicesOf(metadata?.name ?? '', devicesOfNode(i))),
    classes: classesOf(parsed.flatMap(({ devices }) => devices)),
  };
}

const DEVICE_PREFIX = 'device:';

function isDevice(part: string): boolean {
  return part.startsWith(DEVICE_PREFIX) || DEVICE_KINDS.includes(part.split('=')[0] ?? '');
}

function devicesOf(text: string, part: string): ShapeDevices {
  const [kind, amount] = partsOf(text, part.startsWith(DEVICE_PREFIX) ? part.slice(DEVICE_PREFIX.length) : part);
  if (!isPropertyName(kind)) throw shapeError(text, `${part}: ${JSON.stringify(kind)} is no kind of devices`);
  const count = Number(amount);
  if (!/^\d+$/.test(amount) || count < 1 || count > DEVICES_MAX) {
    throw shapeError(text, `${part}: expected a number of devices from 1 to ${DEVICES_MAX}`);
  }
  return { kind, count, attributes: {}, capacity: {} };
}

/** Whether the name may be one of a device's attributes, or of a kind of devices: no resource has such a name. */
function isPropertyName(name: string): boolean {
  return /^[a-z](?:[a-z0-9]{0,30}[a-z0-9])?$/.test(name) && !NATIVE.includes(name);
}

function partsOf(text: string, part: string): readonly [string, string] {
  const [name = '', amount, ...rest] = part.split('=');
  if (amount === undefined || rest.length > 0) {
    throw shapeError(text, `${JSON.stringify(part)} is not a resource and an amount, such as cpu=32`);
  }
  return [name, amount];
}

function checkedAmount(text: string, name: string, amount: string): string {
  if (!NATIVE.includes(name) && !isScalarResourceName(name)) {
    const known = `is no resource (such as ${NATIVE.join(', ')}, nvidia.com/gpu) and no device (gpu, device:NAME)`;
    throw shapeError(text, `${JSON.stringify(name)} ${known}`);
  }
  return checkedQuantity(text, name, amount);
}

function labelOf(text: string, part: string): readonly [string, string] {
  const at = part.indexOf('=');
  const [key, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
  const problem = [...labelKeyProblems(key), ...labelValueProblems(value)][0];
  if (problem !== undefined) throw shapeError(text, `label:${part}: ${problem}`);
  return [key, value];
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function taintOf(text: string, part: string): Taint {
  const at = part.lastIndexOf(':');
  const effect = part.slice(at + 1);
  if (at < 0 || !EFFECTS.includes(effect)) {
    throw shapeError(text, `taint:${part}: expected KEY=VALUE:EFFECT with one of the effects ${EFFECTS.join(', ')}`);
  }
  const [key, value] = labelOf(text, part.slice(0, at));
  return { key, ...(value !== '' && { value }), effect };
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
