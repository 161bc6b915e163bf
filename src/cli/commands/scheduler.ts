import { Command, Option } from 'commander';
import { addClusterOptions } from '../flags/cluster-flags.ts';
import { refuseIdleFlags } from '../flags/effects.ts';
import { addEngineOptions, numberOption } from '../flags/options.ts';
import { addSchedulerOptions } from '../flags/scheduler-flags.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';
import type { SchedulerCommandFlags } from './run-scheduler.ts';

/** Where upstream's kube-scheduler serves its probes. */
const LISTEN = '127.0.0.1:10259';

const AFTER_HELP = `
The kubeconfig is read by @kubernetes/client-node, which must be installed beside this package: npm install
@kubernetes/client-node@1. Tokens of programs (exec) and of identity providers are renewed as kubectl renews them.

Beside a cluster's own scheduler give this one a name of its own (--scheduler-name, or profiles in --config), which pods
ask for with spec.schedulerName. Replicas elect a leader by a Lease; --no-leader-elect runs without.
/healthz, /readyz and /metrics are served on --listen.

Flags override --config: clientConnection.qps and burst, clientConnection.kubeconfig, leaderElection.leaderElect.
--dry-run prints a line for each pod: where it would be bound, who would be evicted, why none fits. --shadow decides
about the pods of the cluster's own scheduler (--scheduler-name) and prints each difference, with the reason, and in the
end how many decisions agreed; give it that scheduler's configuration. Neither writes anything or elects a leader.

Without --config, nodes are all scored, and of equally good ones kube-scheduler's is taken.

Examples:
  berth scheduler --scheduler-name berth
  berth scheduler --shadow --percentage-of-nodes-to-score 0
  berth scheduler --kubeconfig kubeconfig --config scheduler.yaml --log-level info

Exit code: 1 error, or the lease was lost; 130 after Ctrl-C (143 after SIGTERM), when writes have ended.`;

export function schedulerCommand(terminal: Terminal, outcome: Outcome): Command {
  const command = addClusterOptions(new Command('scheduler'))
    .description('Schedules the pods of a real cluster, through its API server.')
    .option('--scheduler-name <name>', 'the pods that ask for this scheduler (default: default-scheduler)')
    .addOption(
      new Option('--leader-elect', 'schedule only while holding the lease (default: as --config says, else so)'),
    )
    .addOption(new Option('--no-leader-elect', 'schedule without a lease'))
    .addOption(
      new Option('--listen <address>', 'where probes and metrics are served; port 0: a free one').default(LISTEN),
    )
    .option('--dry-run', 'write nothing, and print what would be done')
    .option('--shadow', "write nothing, and compare with what the cluster's own scheduler does")
    .addOption(numberOption('kube-api-qps', 'requests a second in the long run, 0 without limit (default: 50)', 0, 1e6))
    .addOption(numberOption('kube-api-burst', 'requests beyond that at once (default: 100)', 0, 1e6));
  addEngineOptions(addSchedulerOptions(command), { engine: 'simd' }).addHelpText('after', AFTER_HELP);
  command.setOptionValueWithSource('tieBreak', 'upstream', 'default');
  return command.action(async (flags: SchedulerCommandFlags, own: Command) => {
    refuseIdleFlags(own, [
      { flag: 'scheduler-name', needs: 'no --config, whose profiles have names', isMet: flags.config === undefined },
      { flag: 'shadow', needs: 'no --dry-run', isMet: !flags.dryRun },
      { flag: 'leader-elect', needs: 'writing: no --dry-run, no --shadow', isMet: !flags.dryRun && !flags.shadow },
      { flag: 'index', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
      { flag: 'workers', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
    ]);
    // Other commands need not wait for the clients to be loaded.
    const { runScheduler } = await import('./run-scheduler.ts');
    outcome.exitCode = await runScheduler(flags, terminal);
  });
}
