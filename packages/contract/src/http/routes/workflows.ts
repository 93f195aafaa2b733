import { limits } from '../../limits/index.ts'
import { pageOf } from '../../shape.ts'
import { Workflow, WorkflowContent, WorkflowCreate, WorkflowListQuery, WorkflowSummary } from '../../workflow/schema.ts'
import { IdempotencyHeaders, IdParams, IfMatchHeaders } from '../list.ts'
import { route } from '../route.ts'
import { definition, early, ids, later } from './sample.ts'

const head = { name: 'Weekly report', description: 'Gathers the reports of a week and sends a summary.' }
const workflow = { id: ids.workflow, ...head, definition, version: 1, created_at: early, updated_at: early }

export const workflowRoutes = {
  workflows_list: route({
    id: 'workflows_list',
    method: 'GET',
    path: '/api/v1/workflows',
    tag: 'workflows',
    summary: 'List workflows',
    description: 'Most recently changed first. Definitions are left out; get a single workflow to read its definition.',
    auth: 'user',
    query: WorkflowListQuery,
    replies: { 200: pageOf(WorkflowSummary) },
    problems: [],
    rate: 'read',
    examples: {
      query: { q: 'report', limit: 20 },
      reply: {
        items: [{ id: ids.workflow, ...head, node_count: definition.nodes.length, version: 1, created_at: early, updated_at: early }],
        next_cursor: null,
      },
    },
  }),
  workflows_create: route({
    id: 'workflows_create',
    method: 'POST',
    path: '/api/v1/workflows',
    tag: 'workflows',
    summary: 'Create a workflow',
    description:
      'The server stores the definition; a device runs it. Without an id, it gets one; an id that exists already is a version conflict.',
    auth: 'user',
    headers: IdempotencyHeaders,
    body: WorkflowCreate,
    replies: { 201: Workflow },
    problems: ['invalid_workflow', 'version_conflict'],
    body_limit: limits.document_bytes,
    rate: 'write',
    idempotent: true,
    examples: { body: { ...head, definition }, reply: workflow },
  }),
  workflows_get: route({
    id: 'workflows_get',
    method: 'GET',
    path: '/api/v1/workflows/:id',
    tag: 'workflows',
    summary: 'Get a workflow',
    auth: 'user',
    params: IdParams,
    replies: { 200: Workflow },
    problems: [],
    rate: 'read',
    examples: { params: { id: ids.workflow }, reply: workflow },
  }),
  workflows_update: route({
    id: 'workflows_update',
    method: 'PUT',
    path: '/api/v1/workflows/:id',
    tag: 'workflows',
    summary: 'Replace a workflow',
    auth: 'user',
    params: IdParams,
    headers: IfMatchHeaders,
    body: WorkflowContent,
    replies: { 200: Workflow },
    problems: ['version_conflict', 'invalid_workflow'],
    body_limit: limits.document_bytes,
    rate: 'write',
    examples: {
      params: { id: ids.workflow },
      body: { ...head, name: 'Friday report', definition },
      reply: { ...workflow, name: 'Friday report', version: 2, updated_at: later },
    },
  }),
  workflows_delete: route({
    id: 'workflows_delete',
    method: 'DELETE',
    path: '/api/v1/workflows/:id',
    tag: 'workflows',
    summary: 'Delete a workflow',
    auth: 'user',
    params: IdParams,
    headers: IfMatchHeaders,
    replies: { 204: { content: 'none' } },
    problems: ['version_conflict'],
    rate: 'write',
    examples: { params: { id: ids.workflow } },
  }),
}
