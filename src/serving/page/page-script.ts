/** The program of the page; it has no build step, and asks only the server that it came from. */
export const PAGE_SCRIPT = String.raw`
'use strict';
const find = (id) => document.getElementById(id);
const REFRESH_MILLIS = 1000;
const EVENTS_MAX = 100;
const METRICS = { cpu: [2, 3], memory: [4, 5], pods: [6, 7] };
let overview = { nodes: [], pending: [] };
let metric = 'cpu';
let focused = 0;
let grid = { columns: 1, size: 1 };

const given = new URLSearchParams(location.hash.slice(1)).get('token');
if (given) {
  sessionStorage.setItem('token', given);
  history.replaceState(null, '', location.pathname);
}

async function ask(path, change) {
  const headers = { authorization: 'Bearer ' + sessionStorage.getItem('token'), 'content-type': 'application/json' };
  const options = change === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(change) };
  const response = await fetch(path, options);
  if (response.ok) return response;
  if (response.status === 401) throw new Error('Open the address that berth serve printed: it has the token.');
  throw new Error((await response.json()).message);
}

function report(error) {
  find('problem').textContent = error === undefined ? '' : error.message;
}

/** Makes an element; children are texts or elements, so that no text of the cluster is ever read as HTML. */
function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

async function refresh() {
  try {
    overview = await (await ask('/berth/overview')).json();
    report();
    show();
  } catch (error) {
    report(error);
  }
  setTimeout(refresh, REFRESH_MILLIS);
}

function show() {
  const { nodes, pods, pending, pendingCount, time, speed } = overview;
  find('time').textContent = time.replace('T', ' ').replace('Z', '');
  find('counts').textContent = nodes.length + ' nodes, ' + pods + ' pods';
  for (const button of document.querySelectorAll('[data-speed]')) {
    button.setAttribute('aria-pressed', String(button.dataset.speed === String(speed)));
  }
  find('pending-count').textContent = String(pendingCount);
  const list = find('pending');
  const rows = pending.map(({ namespace, name, message }) => {
    const key = namespace + '/' + name;
    const kept = [...list.children].find((row) => row.dataset.key === key && row.dataset.message === message);
    if (kept) return kept;
    const button = make('button', { onclick: () => explain(namespace, name) }, key, make('small', {}, message));
    const row = make('li', {}, button);
    Object.assign(row.dataset, { key, message });
    return row;
  });
  if (rows.length !== list.children.length || rows.some((row, i) => row !== list.children[i])) {
    const had = document.activeElement;
    list.replaceChildren(...rows);
    if (had && had.isConnected) had.focus();
  }
  draw();
}

function share(node) {
  const [used, offered] = METRICS[metric];
  return node[offered] > 0 ? Math.min(1, node[used] / node[offered]) : 0;
}

function draw() {
  const canvas = find('map');
  const { nodes } = overview;
  const width = canvas.clientWidth;
  const scale = devicePixelRatio;
  const size = Math.max(5, Math.min(36, Math.floor(Math.sqrt((width * 360) / Math.max(1, nodes.length)))));
  const columns = Math.max(1, Math.floor(width / size));
  const height = Math.max(1, Math.ceil(nodes.length / columns)) * size;
  grid = { columns, size };
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.height = height + 'px';
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const [empty, full] = ['--empty', '--full'].map((name) => color(name).split(' ').map(Number));
  const pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  nodes.forEach((node, i) => {
    const part = share(node);
    const mixed = empty.map((from, channel) => Math.round(from + (full[channel] - from) * part));
    const [x, y] = [(i % columns) * size, Math.floor(i / columns) * size];
    pen.fillStyle = 'rgb(' + mixed.join(' ') + ')';
    pen.fillRect(x, y, size - 1, size - 1);
    if (node[1]) return;
    pen.strokeStyle = color('--shut');
    pen.beginPath();
    pen.moveTo(x + 1, y + 1);
    pen.lineTo(x + size - 2, y + size - 2);
    pen.stroke();
  });
  focused = Math.max(0, Math.min(focused, nodes.length - 1));
  if (document.activeElement === canvas && nodes.length > 0) {
    pen.strokeStyle = color('--ink');
    pen.lineWidth = 2;
    pen.strokeRect((focused % columns) * size + 1, Math.floor(focused / columns) * size + 1, size - 3, size - 3);
  }
  describe();
}

function describe() {
  const node = overview.nodes[focused];
  if (node === undefined) return;
  const gib = (bytes) => (bytes / 2 ** 30).toFixed(1);
  const [name, isOpen, cpu, cpuOffered, memory, memoryOffered, pods, podsOffered] = node;
  const text = name + (isOpen ? '' : ' (takes no pods)') + ': cpu ' + cpu.toFixed(2) + ' of ' + cpuOffered +
    ', memory ' + gib(memory) + ' of ' + gib(memoryOffered) + ' GiB, pods ' + pods + ' of ' + podsOffered;
  if (find('node').textContent !== text) find('node').textContent = text;
}

async function explain(namespace, name) {
  const place = find('explanation');
  try {
    const query = new URLSearchParams({ namespace, name });
    const { node, phase, message, decision } = await (await ask('/berth/explain?' + query)).json();
    const rows = [['pod', namespace + '/' + name], ['phase', phase]];
    if (node) rows.push(['node', node]);
    if (message) rows.push(['message', message]);
    if (decision) {
      rows.push(['would be', decision.status]);
      if (decision.held) rows.push(['held by', decision.held]);
      rows.push(['feasible', decision.feasible + ' of ' + decision.searched + ' nodes']);
      for (const { reason, count, nodes } of decision.rejections) {
        rows.push([count + ' rejected', reason + ' (' + nodes.join(', ') + (count > nodes.length ? ', …' : '') + ')']);
      }
      for (const best of decision.best) rows.push(['score ' + best.total, best.node + ': ' + best.scores.join(', ')]);
    }
    place.replaceChildren(...rows.flatMap(([term, text]) => [make('dt', {}, term), make('dd', {}, text)]));
  } catch (error) {
    place.replaceChildren(make('dt', {}, 'pod'), make('dd', {}, error.message));
  }
  find('explained').scrollIntoView({ block: 'nearest' });
}

/** Follows the events of the cluster: the API's own watch, a JSON object a line. */
async function follow() {
  try {
    const response = await ask('/api/v1/events?watch=1');
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      note(lines.slice(-EVENTS_MAX).map((line) => JSON.parse(line)));
    }
  } catch (error) {
    report(error);
  }
  setTimeout(follow, REFRESH_MILLIS);
}

function note(events) {
  const list = find('events');
  const rows = events
    .filter(({ type }) => type === 'ADDED' || type === 'MODIFIED')
    .map(({ object }) => {
      const { reason, message, involvedObject: about, type, count, series } = object;
      const name = (about.namespace ? about.namespace + '/' : '') + about.name;
      const times = count > 1 || series ? ' ×' + (series ? series.count : count) : '';
      const text = make('small', { className: type === 'Warning' ? 'warning' : '' }, message || '');
      const title = reason + times + ' ' + about.kind + ' ' + name;
      const isPod = about.kind === 'Pod';
      const head = isPod ? make('button', { onclick: () => explain(about.namespace, about.name) }, title, text) : title;
      return isPod ? make('li', {}, head) : make('li', {}, head, text);
    });
  list.prepend(...rows.reverse());
  while (list.children.length > EVENTS_MAX) list.lastChild.remove();
}

const MOVES = { ArrowLeft: () => -1, ArrowRight: () => 1, ArrowUp: () => -grid.columns, ArrowDown: () => grid.columns };
find('map').addEventListener('keydown', (event) => {
  const move = MOVES[event.key];
  if (move === undefined) return;
  event.preventDefault();
  const next = focused + move();
  if (next >= 0 && next < overview.nodes.length) focused = next;
  draw();
});
find('map').addEventListener('mousemove', ({ offsetX, offsetY }) => {
  const index = Math.floor(offsetY / grid.size) * grid.columns + Math.floor(offsetX / grid.size);
  if (index < overview.nodes.length) focused = index;
  describe();
});
for (const name of ['focus', 'blur']) find('map').addEventListener(name, draw);
addEventListener('resize', draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
find('metrics').addEventListener('change', (event) => {
  metric = event.target.value;
  draw();
});
find('clock').addEventListener('click', async ({ target }) => {
  const { speed, step } = target.dataset;
  if (speed === undefined && step === undefined) return;
  try {
    await ask('/berth/clock', step === undefined ? { speed: Number(speed) || speed } : { step });
  } catch (error) {
    report(error);
  }
});
refresh();
follow();
`;
