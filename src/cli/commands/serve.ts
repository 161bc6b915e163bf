import { Command, Option } from 'commander';
import { refuseIdleFlags } from '../flags/effects.ts';
import { addFileOptions, FILES_HELP, inputEffects } from '../flags/input-flags.ts';
import { NODES_MAX, numberOption, shapeOption } from '../flags/options.ts';
import { featureGatesOption } from '../flags/scheduler-flags.ts';
import { speedOption } from '../flags/speed.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';
import type { ServeFlags } from './serve-cluster.ts';

const SEED_MAX = 2 ** 32;

const AFTER_HELP = `
The server listens on this machine alone, with a fresh certificate, and lets in whoever has the token in the kubeconfig,
which only its owner may read. Clients must speak JSON: kube-scheduler and kube-controller-manager need
--kube-api-content-type=application/json.
${FILES_HELP} Objects are created in their order, as by a client.

--data needs the package lmdb beside this one: npm install lmdb.

Examples:
  berth serve --nodes 10 --agents
  berth serve -f cluster.yaml --no-scheduler --port 8443 --kubeconfig kubeconfig

Exit code: 1 error, 130 after Ctrl-C, 143 after SIGTERM, which end it.`;

export function serveCommand(terminal: Terminal, outcome: Outcome): Command {
  return addFileOptions(new Command('serve'), 'objects that are there from the beginning')
    .description('Serves the Kubernetes API of a cluster in this process, for kubectl and other clients.')
    .addOption(numberOption('nodes', 'add so many synthetic nodes', 1, NODES_MAX))
    .addOption(shapeOption())
    .option('--listen <address>', 'the address; others than 127.0.0.1 need --token-file')
    .addOption(numberOption('port', 'the port, 0 for a free one', 0, 65_535).default(0))
    .option('--token-file <file>', 'has the token that clients must send (default: a fresh one)')
    .option('--kubeconfig <file>', 'where the file for clients is written', '.berth/kubeconfig')
    .option('--no-scheduler', 'leave pods to a scheduler that connects to the API')
    .option('--config <file>', 'KubeSchedulerConfiguration, YAML or JSON: profiles, plugins, arguments')
    .addOption(featureGatesOption())
    .addOption(controllersOption())
    .option('--agents', 'simulated node agents run the pods')
    .addOption(speedOption())
    .addOption(numberOption('seed', 'seed of uids, names and jitter (default: another one each time)', 0, SEED_MAX))
    .option('--data <directory>', 'keep every write there, and go on from it: what was answered survives a crash')
    .option('--snapshot <file>', 'begin from this file if it is there, and write it at the end')
    .option('--record <file>', 'note every request there, a line each, as kube-apiserver writes its audit log')
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: ServeFlags, own: Command) => {
      const needs = '--nodes, which says how many';
      refuseIdleFlags(own, [...inputEffects(flags), { flag: 'shape', needs, isMet: flags.nodes !== undefined }]);
      // Other commands need not wait for the API server to be loaded.
      const { serveCluster } = await import('./serve-cluster.ts');
      outcome.exitCode = await serveCluster(flags, terminal);
    });
}

/** The flag of kube-controller-manager. */
function controllersOption(): Option {
  const what = 'which controllers run, by the names of kube-controller-manager: *,-job-controller (default: *)';
  return new Option('--controllers <list>', what).argParser((text) => text.split(',').map((item) => item.trim()));
}
