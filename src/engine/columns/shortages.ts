import type { Column } from '../../memory/column-table.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import { fitReasonAt, type ResourceKernels } from '../index/resource-kernels.ts';
import { FitStatuses } from './fit-statuses.ts';

/** The answers of the `fitReasons` kernel: one array for each filtered resource of a signature, by slot. */
export class Shortages {
  readonly #resourceKernels: ResourceKernels;
  /** A column for the kernel's answers, one byte for each slot. */
  readonly #out: () => Column<'i32'>;

  constructor(resourceKernels: ResourceKernels, out: () => Column<'i32'>) {
    this.#resourceKernels = resourceKernels;
    this.#out = out;
  }

  /** Returns the answers for all slots below `slotCount`. */
  of(signature: PodSignature, slotCount: number): Uint8Array[] {
    const answers: Uint8Array[] = [];
    this.renewAll(signature, slotCount, answers);
    return answers;
  }

  /** Writes the answers for all slots below `slotCount`, into the arrays that are there if they are long enough. */
  renewAll(signature: PodSignature, slotCount: number, answers: Uint8Array[]): void {
    const { pointer, values } = this.#out();
    const out = new Uint8Array(values.buffer, pointer, slotCount);
    let i = 0;
    for (const entry of signature.filterEntries.entries) {
      this.#resourceKernels.fitReasons(entry, pointer, 0, slotCount);
      const known = answers[i];
      if (known !== undefined && known.length >= slotCount) known.set(out);
      else answers[i] = out.slice();
      i++;
    }
  }

  /** Computes the answers for one slot. */
  renew(signature: PodSignature, slot: number, answers: readonly Uint8Array[]): void {
    let i = 0;
    for (const entry of signature.filterEntries.entries) {
      const answersOfResource = answers[i++];
      if (answersOfResource !== undefined) answersOfResource[slot] = fitReasonAt(entry, slot);
    }
  }

  /** The statuses that follow from the answers, which may be changed. */
  statuses({ filterResources }: PodSignature, answers: readonly Uint8Array[]): FitStatuses {
    return new FitStatuses(filterResources, answers, this.#resourceKernels.plugins.filter?.form);
  }
}
