// Two small workflows to begin with. The tests save each of them.
import { workflowWords } from './workflows.ts'

export const workflowExamples = {
  note: {
    ...workflowWords.examples.note,
    text: `name: Take a note
description: Asks what to note, and writes it to a file.
inputs:
  - name: file
    type: file
    description: The file to write
    required: true
    default_value: note.md
nodes:
  - id: ask
    kind: question
    question: What do you want to note?
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
    ...workflowWords.examples.summary,
    text: `name: Summarize a file
description: Reads a file, and lets an agent summarize it.
inputs:
  - name: file
    type: file
    description: The file to summarize
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
      Summarize this text in three sentences:
      {{nodes.read.output.content}}
output: "{{nodes.summarize.output}}"
`,
  },
} as const

export type WorkflowExampleName = keyof typeof workflowExamples
