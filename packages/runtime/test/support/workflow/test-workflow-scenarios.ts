// The workflows of the crash tests. Each effect has a name, which says where in the workflow it happens: the driver can look whether it has
// happened, and the test can count how often.
import type { WorkflowDefinition, WorkflowNode } from '@tandem/contract/workflow'
import { nodeKey } from '@tandem/contract/workflow-run'

export const scenarioNames = ['everything', 'undone', 'canceled', 'generated'] as const
export type ScenarioName = (typeof scenarioNames)[number]

/** Where the scripts append the names of their effects. */
export const effectsFile = 'effects.txt'

export const said = 'The agent has looked at it, and says that all is well. '.repeat(3).trim()

type Named = Pick<WorkflowNode, 'id'> & { readonly within?: string }

function placeOf(id: string, loops: readonly string[]): string {
  return loops.length === 0 ? id : `${id}@${loops.map((loop) => `{{loops.${loop}.index}}`).join('.')}`
}

const script = `printf '%s\\n' "$1" >> ${effectsFile}`

function appending(name: string): { readonly tool: 'script.run'; readonly arguments: string } {
  return { tool: 'script.run', arguments: JSON.stringify({ language: 'sh', source: script, args: [name] }) }
}

/** A call that appends the name of its node and round to a file. */
export function append({ id, within }: Named, loops: readonly string[] = [], prefix = ''): WorkflowNode {
  return { id, kind: 'tool', ...appending(`${prefix}${placeOf(id, loops)}`), ...(within === undefined ? {} : { within }) }
}

/** A call that sends its name to a server. */
function post(id: string, text = ''): WorkflowNode {
  const args = { url: `{{inputs.url}}/${id}`, method: 'POST', body: `${id} ${text}` }
  return { id, kind: 'tool', tool: 'http.request', arguments: JSON.stringify(args) }
}

function chain(...ids: readonly string[]): WorkflowDefinition['edges'] {
  return ids.slice(1).map((to, at) => ({ from: ids[at] ?? '', to }))
}

/** What takes back the effect of a node. */
function undoing(id: string) {
  return { compensation: appending(undoName(id)) }
}

export function undoName(key: string): string {
  return `undo ${key}`
}

export function effectName(
  prefix: string,
  { node_id, iteration }: { readonly node_id: string; readonly iteration: readonly number[] },
): string {
  return `${prefix}${nodeKey(node_id, iteration)}`
}

export const inner: WorkflowDefinition = {
  inputs: [{ name: 'text', type: 'text', required: true }],
  nodes: [append({ id: 'inside' }), { id: 'up', kind: 'transform', input: '"{{inputs.text}}"', expression: '$uppercase($)' }],
  edges: chain('inside', 'up'),
  outputs: [{ name: 'text', type: 'text', value: '{{nodes.up.output}}' }],
}

/** Reaches every crash point of workflows: it fails at its end, and takes back what it can. */
export function everything(inner_id: string): WorkflowDefinition {
  return {
    inputs: [{ name: 'url', type: 'text', required: true }],
    nodes: [
      { ...append({ id: 'first' }), ...undoing('first') } as WorkflowNode,
      post('sent'),
      { id: 'each', kind: 'for_each', items: '["a","b","c"]', concurrency: 2, result: '{{loops.each.item}}' },
      append({ id: 'item', within: 'each' }, ['each']),
      append({ id: 'item_after', within: 'each' }, ['each']),
      { id: 'again', kind: 'repeat', until: { left: '{{loops.again.index}}', comparison: 'greater', right: '0' }, most_rounds: 5 },
      append({ id: 'round', within: 'again' }, ['again']),
      { id: 'flaky', kind: 'tool', tool: 'fs.read', arguments: '{"path":"missing.txt"}', retry: { attempts: 2, backoff_seconds: 0 } },
      { id: 'say', kind: 'agent', prompt: 'Look at it.' },
      { id: 'sub', kind: 'workflow', workflow_id: inner_id, inputs: '{"text":"{{nodes.say.output}}"}' },
      // Its argument comes from an output, so that it needs an approval.
      post('approved', '{{nodes.sub.output.text}}'),
      { id: 'ask', kind: 'question', question: 'Which color?', choices: ['red', 'blue'] },
      { id: 'sure', kind: 'approval', message: 'Go on with {{nodes.ask.output}}?' },
      { id: 'rest', kind: 'wait', seconds: 60 },
      { ...append({ id: 'last' }), ...undoing('last') } as WorkflowNode,
      { id: 'breaks', kind: 'tool', tool: 'fs.read', arguments: '{"path":"missing.txt"}' },
    ],
    edges: [
      ...chain('first', 'sent', 'each', 'again', 'flaky'),
      ...chain('item', 'item_after'),
      { from: 'flaky', to: 'say', when: 'failed' },
      ...chain('say', 'sub', 'approved', 'ask', 'sure'),
      { from: 'sure', to: 'rest', when: 'approved' },
      ...chain('rest', 'last', 'breaks'),
    ],
  }
}

/** One effect, and what takes it back after a failure. */
export const undone: WorkflowDefinition = {
  inputs: [],
  nodes: [
    { ...append({ id: 'first' }), ...undoing('first') } as WorkflowNode,
    { id: 'breaks', kind: 'tool', tool: 'fs.read', arguments: '{"path":"missing.txt"}' },
  ],
  edges: chain('first', 'breaks'),
}

/** One effect, and what takes it back when a person cancels the workflow instead of answering. */
export const canceled: WorkflowDefinition = {
  inputs: [],
  nodes: [{ ...append({ id: 'first' }), ...undoing('first') } as WorkflowNode, { id: 'ask', kind: 'question', question: 'Go on?' }],
  edges: chain('first', 'ask'),
}
