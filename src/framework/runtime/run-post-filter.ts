import type { ExtenderCalls } from '../extender-calls.ts';
import type { PostFilterPlugin } from '../plugin.ts';
import { notHelped, type PostFilterContext, type PostFilterOutcome } from '../post-filter.ts';
import type { PreemptionReport } from '../preemption-report.ts';
import { errorStatus, unschedulable } from '../status.ts';
import type { Trace } from '../tracing/tracer.ts';

/**
 * Runs the plugins until one succeeds or gives up for good; otherwise the outcome holds all their reasons (upstream's
 * RunPostFilterPlugins).
 */
export function* runPostFilter(
  plugins: readonly PostFilterPlugin[],
  context: PostFilterContext,
  trace: Trace | null,
): ExtenderCalls<PostFilterOutcome> {
  const reasons: string[] = [];
  let nominatedNodeName: string | null = null;
  let preemption: PreemptionReport | null = null;
  let rejectedBy = '';
  for (const plugin of plugins) {
    trace?.startPlugin('postFilter', plugin.name);
    const outcome = plugin.postFilterWithExtenders
      ? yield* plugin.postFilterWithExtenders(context)
      : plugin.postFilter(context);
    trace?.end(outcome.status.code);
    const { code } = outcome.status;
    if (code === 'Success' || code === 'UnschedulableAndUnresolvable') return outcome;
    preemption ??= outcome.preemption;
    if (code !== 'Unschedulable') {
      return { ...notHelped(errorStatus(plugin.name, outcome.status.reasons.join(', '))), preemption };
    }
    nominatedNodeName = outcome.nominatedNodeName ?? nominatedNodeName;
    rejectedBy ||= plugin.name;
    reasons.push(...outcome.status.reasons);
  }
  return { status: unschedulable(rejectedBy, ...reasons), nominatedNodeName, victims: [], preemption };
}
