// What each field of a workflow is for, as editors show it. By the object that has the field; all nodes have the fields of `node`.
import type { WorkflowNodeKind } from '@tandem/contract/workflow'

export const kindDescriptions: Readonly<Record<WorkflowNodeKind, string>> = {
  tool: 'Calls a tool.',
  agent: 'Gives an agent a task. Its output is the answer of the agent.',
  workflow: 'Runs another workflow.',
  approval: 'Asks you for approval, and ends with approved or denied.',
  question: 'Asks you a question. Its output is your answer.',
  condition: 'Compares two values, and ends with true or false.',
  wait: 'Waits for a number of seconds.',
  transform: 'Computes a value from others with a JSONata expression.',
  for_each: 'Runs the nodes within it once for each item of a list. Its output is the list of results.',
  repeat: 'Runs the nodes within it until a condition is true.',
}

const tool = 'The name of the tool, such as fs.read or mcp.server.tool.'
const result = 'What the loop returns after each round; null if absent.'

export const fieldDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  workflow: {
    $schema: 'The JSON Schema of this document, for editors.',
    name: 'The name of the workflow.',
    description: 'What the workflow does.',
    inputs: 'The values that the workflow needs when it starts.',
    nodes: 'The steps of the workflow.',
    edges: 'Which node follows which. If it is absent, the nodes of each loop follow one another in the order in which they are written.',
    output: 'What the workflow returns.',
    outputs: 'The named values that the workflow returns.',
  },
  input: {
    name: 'The name of the input. Use it as {{inputs.name}}.',
    type: 'The type of the value. A file is a path.',
    description: 'What the input is for.',
    required: 'Whether the workflow can start only with this input.',
    default_value: 'The value if none is given. It must have the type of the input.',
  },
  output: {
    name: 'The name of the output.',
    type: 'The type of the value. A file is a path.',
    description: 'What the output contains.',
    value: 'The value, such as "{{nodes.id.output}}".',
  },
  edge: {
    from: 'The id of the node that ends.',
    to: 'The id of the node that follows.',
    when: 'The outcome with which the first node must end; succeeded if absent.',
  },
  node: {
    id: 'The id of the node, unique in the workflow.',
    kind: 'What the node does.',
    title: 'A title to show instead of the id.',
    within: 'The id of the loop that repeats the node.',
    join: 'With several edges to the node: wait for all nodes before it that run, or only for the first one. The default is all.',
    position: 'Where an editor draws the node.',
    timeout_seconds: 'The node fails if it takes longer.',
    retry: 'How often the node is tried if it fails.',
    on_failure: 'What happens if the node fails and no edge is for that: stop (the default) ends the workflow, continue does not.',
    compensation: 'A call that undoes the effect of the node if the workflow fails or is canceled later.',
  },
  position: { x: 'From the left.', y: 'From the top.' },
  retry: { attempts: 'The number of attempts, including the first.', backoff_seconds: 'How long to wait before the next attempt.' },
  compensation: { tool, arguments: 'The arguments of the tool. They may contain the output of the node.' },
  tool: {
    tool,
    arguments: 'The arguments of the tool. Texts in them may contain placeholders such as "{{inputs.name}}".',
    idempotent: 'Whether a second call has no further effect, so that it may be repeated after a crash without asking.',
  },
  agent: { agent_id: 'The id of the agent.', prompt: 'The task.' },
  workflow_node: {
    workflow_id: 'The id of the other workflow.',
    inputs: 'The inputs of the other workflow. Texts in them may contain placeholders such as "{{inputs.name}}".',
  },
  approval: { message: 'What you are asked to approve.' },
  question: { question: 'The question.', choices: 'The answers to choose from.' },
  condition: {
    condition: 'The comparison.',
    left: 'The value to compare, such as "{{nodes.id.output}}".',
    comparison: 'How to compare it.',
    right: 'The value to compare it with. The comparisons exists and empty have none.',
    expression: 'True ends the loop. It can use nodes and inputs.',
  },
  wait: { seconds: 'How long to wait.' },
  transform: {
    input: 'The value that the expression is about. Texts in it may contain placeholders such as "{{nodes.id.output}}".',
    expression: 'How to compute the output from the input.',
  },
  for_each: {
    items: 'The list, such as "{{nodes.id.output}}". In the loop, an item is {{loops.id.item}}.',
    concurrency: 'How many items are processed at the same time.',
    result,
    on_item_failure: 'What happens if an item fails: stop (the default) or continue with the others.',
  },
  repeat: { until: 'When the loop ends. It is checked after each round.', most_rounds: 'The loop fails after this many rounds.', result },
}
