// Two small workflows to begin with. The tests save each of them.
import { workflowWords } from '../strings/workflows.ts'

const { note, summary } = workflowWords.examples

export const workflowExamples = {
  note: {
    ...note,
    text: `name: ${note.title}
description: ${note.description}
inputs:
  - name: file
    type: file
    description: ${note.file}
    required: true
    default_value: note.md
nodes:
  - id: ask
    kind: question
    question: ${note.question}
  - id: save
    kind: tool
    tool: fs.write
    arguments:
      path: "{{inputs.file}}"
      content: "{{nodes.ask.output}}"
output: "{{nodes.ask.output}}"
`,
  },
  summary: {
    ...summary,
    text: `name: ${summary.title}
description: ${summary.description}
inputs:
  - name: file
    type: file
    description: ${summary.file}
    required: true
nodes:
  - id: read
    kind: tool
    tool: fs.read
    arguments:
      path: "{{inputs.file}}"
  - id: summarize
    kind: agent
    prompt: |
      ${summary.prompt}
      {{nodes.read.output.content}}
output: "{{nodes.summarize.output}}"
`,
  },
} as const

export type WorkflowExampleName = keyof typeof workflowExamples
