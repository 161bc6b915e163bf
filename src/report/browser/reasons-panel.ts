import type { ExplainedGroup, ReasonGroup, ReasonsSection } from '../sections.ts';
import { formatValue } from '../units.ts';
import { make, makeButton } from './make.ts';
import type { PageState } from './state.ts';

const FILTER_GROUPS = 8;
/** A longer fact has a row of its own. */
const LONG_FACT = 36;
const PODS_AT_FIRST = 20;

/** Reasons that open: what each node says about one of the pods, and the pods. */
export function drawReasons({ title, groups }: ReasonsSection, state: PageState, body: HTMLElement): void {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const items = groups.map((group) => {
    const share = make('span', { class: 'share', 'aria-hidden': 'true' });
    share.style.width = `${total > 0 ? (group.count / total) * 100 : 0}%`;
    const count = make('b', {}, formatValue('count', group.count));
    const head = make('summary', {}, share, count, make('bdi', {}, group.reason));
    const item = make('details', {}, head);
    // Most are never opened.
    item.addEventListener('toggle', () => item.append(...contentOf(group, state)), { once: true });
    return item;
  });
  if (groups.length >= FILTER_GROUPS) {
    const input = make('input', {
      type: 'search',
      placeholder: 'Filter reasons and pods',
      'aria-label': `Filter ${title}`,
    });
    input.addEventListener('input', () => {
      const wanted = input.value.trim().toLowerCase();
      for (const [i, item] of items.entries()) {
        const { reason, pods } = groups[i] as ReasonGroup;
        item.hidden = ![reason, ...pods].some((text) => text.toLowerCase().includes(wanted));
      }
    });
    body.append(input);
  }
  body.append(make('div', { class: 'reasons' }, ...items));
}

function contentOf({ pods, count, about, explained }: ReasonGroup, state: PageState): readonly HTMLElement[] {
  const list = make('ul', { class: 'pods' }, ...pods.slice(0, PODS_AT_FIRST).map(podItem));
  const rest = pods.slice(PODS_AT_FIRST);
  const more = makeButton(`Show ${rest.length} more`, { class: 'quiet' }, () => {
    list.append(...rest.map(podItem));
    more.remove();
  });
  const unnamed = count - pods.length;
  return [
    ...(about === undefined ? [] : [make('p', { class: 'note' }, about)]),
    ...(explained === undefined ? [] : explainedContent(explained, state)),
    make('h3', { class: 'inner' }, count === 1 ? 'The pod' : `The ${formatValue('count', count)} pods`),
    list,
    ...(rest.length > 0 ? [more] : []),
    ...(unnamed > 0 ? [make('p', { class: 'note' }, `${formatValue('count', unnamed)} more are not listed.`)] : []),
  ];
}

function podItem(pod: string): HTMLElement {
  return make('li', {}, make('bdi', {}, pod));
}

function explainedContent(explained: ExplainedGroup, state: PageState): readonly HTMLElement[] {
  const { pod, facts, verdicts, verdictOfNode, remedies } = explained;
  const title = make('h3', { class: 'inner' }, 'What the nodes say about ', make('bdi', {}, pod));
  const items = facts.map(([name, value]) =>
    make(
      'div',
      { class: value.length > LONG_FACT ? 'long' : null },
      make('dt', {}, name),
      make('dd', { dir: 'auto' }, value),
    ),
  );
  const rows = verdicts.map(({ plugin, reason, count, examples }) =>
    make(
      'tr',
      {},
      make('td', { class: 'number' }, formatValue('count', count)),
      make('td', {}, plugin),
      make('td', { dir: 'auto' }, reason),
      make('td', { dir: 'auto' }, examples.join(', ') + (count > examples.length ? ', …' : '')),
    ),
  );
  const heads = ['Nodes', 'Plugin', 'Reason', 'Examples'].map((text, i) =>
    make('th', { scope: 'col', class: i === 0 ? 'number' : null }, text),
  );
  const table = make('table', {}, make('thead', {}, make('tr', {}, ...heads)), make('tbody', {}, ...rows));
  const wide = make(
    'div',
    { class: 'wide', tabindex: 0, role: 'group', 'aria-label': `Nodes by verdict about ${pod}` },
    table,
  );
  const names = verdicts.map(({ plugin, reason }) => `${plugin}: ${reason}`);
  const marks =
    verdictOfNode === undefined
      ? []
      : [
          makeButton('Show these nodes on the map', {}, () =>
            state.nodeMarks.set({ title: pod, names, ofNode: verdictOfNode }),
          ),
        ];
  return [
    title,
    ...(items.length === 0 ? [] : [make('dl', { class: 'facts' }, ...items)]),
    ...(rows.length === 0 ? [] : [wide]),
    ...marks,
    ...(remedies === undefined ? [] : remedyList(remedies)),
  ];
}

function remedyList(remedies: readonly string[]): readonly HTMLElement[] {
  if (remedies.length === 0) return [make('p', {}, 'No change that was tried would place it.')];
  const items = remedies.map((text) => make('li', { dir: 'auto' }, text));
  return [make('h3', { class: 'inner' }, 'What would place it'), make('ul', {}, ...items)];
}
