import { installTools } from '../package/prepare.ts';

/** Installs what drives a browser. */
export default function prepare(): void {
  installTools();
}
