// The texts of the graph of a workflow.
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'

const number = (value: number) => value.toLocaleString(locale)

export const workflowGraphWords = translated('workflow-graph', {
  title: 'Graph',
  picture: 'Graph of the workflow. Use the arrow keys to move between nodes.',
  pictureWithDetails: 'Graph of the workflow. Use the arrow keys to move between nodes, and Enter for the details of one.',
  empty: 'There are no nodes yet.',
  edge: 'edge',
  edgeOf: (from: string, to: string) => `From ${from} to ${to}`,
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Show all',
  rounds: (value: number) => count(value, 'round done', 'rounds done'),
  failed: (value: number) => `${number(value)} failed`,
  tokens: (value: number) => count(value, 'token', 'tokens'),
  or: ' or ',
  panel: {
    label: (node: string) => `Details of ${node}`,
    close: 'Close details',
    round: 'Round',
    roundOption: (round: string, state: string) => `${round}: ${state}`,
    input: 'Input, as in the definition',
  },
  run: {
    waits: 'Waiting',
    current: 'Now:',
    open: 'Open the workflow run',
    onDevice: (name: string) => `This run is on the device “${name}”. You can control it there.`,
  },
})
