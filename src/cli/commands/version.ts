import { Command } from 'commander';
import { outputOption } from '../flags/options.ts';
import { commit, packageVersion } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The version of Kubernetes whose decisions are made. */
const KUBERNETES_VERSION = 'v1.36.2';

export function versionCommand(terminal: Terminal): Command {
  return new Command('version')
    .description('Prints the version of Berth, of Kubernetes, and of Node.js.')
    .addOption(outputOption('how it is printed', ['text', 'json']))
    .addHelpText('after', '\nExamples:\n  berth version\n  berth version -o json')
    .action(async ({ output }: { readonly output: 'text' | 'json' }) => {
      const versions = {
        berth: packageVersion(),
        commit: commit(),
        kubernetes: KUBERNETES_VERSION,
        node: process.version,
      };
      const shown = versions.commit === null ? '' : ` (commit ${versions.commit.slice(0, 12)})`;
      const program = `berth ${versions.berth}${shown}`;
      const text = `${program}, decides as kube-scheduler ${KUBERNETES_VERSION}, Node.js ${versions.node}\n`;
      await terminal.print(output === 'json' ? `${JSON.stringify(versions, null, 2)}\n` : text);
    });
}
