/** A command of a recorded session with kubectl, or files that are written before the next one. */
export type KubectlStep =
  | { readonly files: Readonly<Record<string, string>> }
  | { readonly cmd: string; readonly exit: number; readonly stdout: string; readonly stderr: string };

/** A recorded session with kubectl. */
export interface KubectlCase {
  readonly name: string;
  readonly feature: 'kubectl';
  readonly steps: readonly KubectlStep[];
}

export function isKubectlCase(recorded: object): recorded is KubectlCase {
  return 'feature' in recorded && recorded.feature === 'kubectl';
}
