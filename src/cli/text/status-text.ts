import type { Status } from '../../framework/status.ts';

/** Who said no, how firmly, and why; the framework itself has no name. */
export function statusText({ plugin, code, reasons }: Status): string {
  return `${plugin === '' ? '' : `${plugin} `}(${code}): ${reasons.join(', ')}`;
}
