import type { Status } from '../../framework/status.ts';

/** The plugin, code and reasons of a status; the framework itself has no name. */
export function statusText({ plugin, code, reasons }: Status): string {
  return `${plugin === '' ? '' : `${plugin} `}(${code}): ${reasons.join(', ')}`;
}
