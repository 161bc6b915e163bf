import type { PodSignature } from '../../src/engine/index/pod-signature.ts';
import { TotalsBlock, type TotalsBlockModules } from '../../src/engine/index/totals-block.ts';
import { type TotalsForm, totalsFormOf } from '../../src/engine/index/totals-form.ts';
import { Program } from '../../src/kernels/program.ts';
import type { EngineColumns } from './engine-columns.ts';

/** What the signature index hands to blocks and totals columns. */
export function totalsModules({ kernels, memory, columns, env, runner }: EngineColumns): TotalsBlockModules {
  const kinds = columns.table.add('u16');
  const totals = memory.allocate(Int16Array.BYTES_PER_ELEMENT);
  new Int16Array(memory.memory.buffer, totals, 1).fill(-1);
  return {
    ...{ kernels, memory, env, runner },
    ...{ program: new Program(memory, true), maxima: new Program(memory, true) },
    empty: { ids: kinds.pointer, totals },
  };
}

export function newBlock(world: EngineColumns, modules = totalsModules(world)): TotalsBlock {
  return new TotalsBlock(modules, true, world.columns.table.capacity);
}

export function mustForm(world: EngineColumns, signature: PodSignature): TotalsForm {
  const { memory, columns, framework, kernelPlugins } = world;
  const form = totalsFormOf(signature, { memory, columns, framework, fit: kernelPlugins.allocation?.form });
  if (form === null) throw new Error('such pods are placed by index');
  return form;
}
