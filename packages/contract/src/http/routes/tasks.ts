import { limits } from '../../limits/index.ts'
import { pageOf } from '../../shape.ts'
import { Task, TaskCreate, TaskListQuery, TaskStatusUpdate, TaskSummary } from '../../task/schema.ts'
import { IdempotencyHeaders, IdParams, IfMatchHeaders } from '../list.ts'
import { route } from '../route.ts'
import { ids, later, task } from './sample.ts'

const { input: _, ...summary } = task

export const taskRoutes = {
  tasks_create: route({
    id: 'tasks_create',
    method: 'POST',
    path: '/api/v1/tasks',
    tag: 'tasks',
    summary: 'Create a task',
    description: 'The device it is assigned to is notified on /ws and runs it; the cloud never does.',
    auth: 'user',
    headers: IdempotencyHeaders,
    body: TaskCreate,
    replies: { 201: Task },
    problems: ['unknown_reference'],
    body_limit: limits.document_bytes,
    rate: 'write',
    idempotent: true,
    examples: {
      body: { title: task.title, input: '{"folder":"reports"}', workflow_id: ids.workflow, device_id: 'mara-laptop' },
      reply: task,
    },
  }),
  tasks_list: route({
    id: 'tasks_list',
    method: 'GET',
    path: '/api/v1/tasks',
    tag: 'tasks',
    summary: 'List tasks',
    description:
      'Newest first. Inputs and results are left out; get a single task to read them. A page may contain fewer items than limit.',
    auth: 'user',
    query: TaskListQuery,
    replies: { 200: pageOf(TaskSummary) },
    problems: [],
    rate: 'read',
    examples: { query: { status: 'pending', device_id: 'mara-laptop' }, reply: { items: [summary], next_cursor: null } },
  }),
  tasks_get: route({
    id: 'tasks_get',
    method: 'GET',
    path: '/api/v1/tasks/:id',
    tag: 'tasks',
    summary: 'Get a task',
    auth: 'user',
    params: IdParams,
    replies: { 200: Task },
    problems: [],
    rate: 'read',
    examples: { params: { id: ids.task }, reply: task },
  }),
  tasks_update_status: route({
    id: 'tasks_update_status',
    method: 'PUT',
    path: '/api/v1/tasks/:id/status',
    tag: 'tasks',
    summary: 'Change the status of a task',
    description: 'pending → running → completed, failed or canceled; pending → canceled. If two devices start it, one is refused.',
    auth: 'user',
    params: IdParams,
    headers: IfMatchHeaders,
    body: TaskStatusUpdate,
    replies: { 200: Task },
    problems: ['transition_refused', 'version_conflict', 'wrong_device'],
    body_limit: limits.document_bytes,
    rate: 'write',
    examples: {
      params: { id: ids.task },
      body: { status: 'running', device_id: 'mara-laptop' },
      reply: { ...task, status: 'running', status_ts: later, version: 2, updated_at: later },
    },
  }),
}
