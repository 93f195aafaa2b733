// A JSON Schema of the readable form, with which editors complete and check a workflow. Draft 7 is the one that most editors support.
import { edgePattern } from '@tandem/contract/workflow'
import {
  WorkflowContent,
  WorkflowDefinition,
  WorkflowEdge,
  WorkflowInput,
  WorkflowNode,
  WorkflowOutput,
} from '@tandem/contract/workflow/schema'
import { fieldDescriptions, kindDescriptions } from './field-description.ts'
import { jsonFieldOf } from './json-field.ts'

export interface EditorSchema {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, EditorSchema>>
  readonly anyOf?: readonly EditorSchema[]
  readonly description?: string
}

export function workflowEditorSchema(): EditorSchema {
  const { name, description } = WorkflowContent.properties
  const { inputs, nodes, edges, output, outputs } = WorkflowDefinition.properties
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Workflow',
    type: 'object',
    required: ['name', 'nodes'],
    additionalProperties: false,
    properties: describedFields(
      {
        $schema: { type: 'string' },
        name: plain(name),
        description: plain(description),
        inputs: { ...plain(inputs), items: described(WorkflowInput, 'input', { default_value: {} }) },
        nodes: { ...plain(nodes), items: { oneOf: WorkflowNode.anyOf.map(nodeSchema) } },
        edges: { ...plain(edges), items: { oneOf: [edgeTextSchema, edgeSchema()] } },
        output: plain(output),
        outputs: { ...plain(outputs), items: described(WorkflowOutput, 'output') },
      },
      'workflow',
    ),
  }
}

/** What is JSON text in the stored form: named values, or one placeholder of them. */
const namedValues: EditorSchema = { type: ['object', 'string'], pattern: '^\\{\\{[^{}]*\\}\\}$' }

const edgeTextSchema: EditorSchema = {
  type: 'string',
  pattern: edgePattern,
  description: 'FROM -> TO, or FROM -> TO when OUTCOME.',
}

/** In YAML, the outcomes true and false of a condition may be written without quotes. */
function edgeSchema(): EditorSchema {
  const { when } = plain(WorkflowEdge).properties ?? {}
  const outcomes = Array.isArray(when?.enum) ? when.enum : []
  return described(WorkflowEdge, 'edge', { when: { enum: [...outcomes, true, false] } })
}

function nodeSchema(shape: (typeof WorkflowNode.anyOf)[number]): EditorSchema {
  const kind = shape.properties.kind.const
  const field = jsonFieldOf[kind]
  const values = field === undefined ? {} : { [field]: field === 'input' ? {} : namedValues }
  const owner = kind === 'workflow' ? 'workflow_node' : kind
  return { title: kind, description: kindDescriptions[kind], ...described(shape, owner, values) }
}

/** The schema with a description of each field, and with other schemas for some of them. */
function described(schema: object, owner: string, others: Readonly<Record<string, EditorSchema>> = {}): EditorSchema {
  const own = plain(schema)
  return { ...own, properties: describedFields({ ...own.properties, ...others }, owner) }
}

function describedFields(fields: Readonly<Record<string, EditorSchema>>, owner: string): Readonly<Record<string, EditorSchema>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const text = fieldDescriptions[owner]?.[name] ?? fieldDescriptions.node?.[name]
      const texts = [text, field.description && `${field.description}.`].filter((one) => one !== undefined)
      return [name, { ...inner(field, name), description: texts.join(' ') }]
    }),
  )
}

function inner(field: EditorSchema, name: string): EditorSchema {
  if (field.anyOf) return { ...field, anyOf: field.anyOf.map((form) => described(form, 'condition')) }
  if (!field.properties) return field
  return described(field, name, name === 'compensation' ? { arguments: namedValues } : {})
}

/** Without what TypeBox adds to JSON Schema. */
function plain(schema: object): EditorSchema {
  return JSON.parse(JSON.stringify(schema)) as EditorSchema
}
