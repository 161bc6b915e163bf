import { SchedulerError } from '../framework/scheduler-error.ts';
import { hostsOfModule } from '../kernels/given-kernels.ts';
import type { KernelHostFactory } from '../kernels/kernel-host.ts';
import type { SchedulerOptions } from './scheduler-options.ts';

/** How the kernels are made that the options ask for; undefined: as this package has them. Errors: Invalid. */
export function kernelHostsOf({ newKernelHost, kernels }: SchedulerOptions): KernelHostFactory | undefined {
  if (newKernelHost !== undefined || kernels === undefined) return newKernelHost;
  try {
    return hostsOfModule(kernels);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchedulerError('Invalid', `option kernels: this is not a kernel module of Berth: ${reason}`);
  }
}
