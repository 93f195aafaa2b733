// The thread of the knowledge base: the only place that opens its file, walks folders and reads their files. A second thread of this kind
// only searches, so that a search does not wait for a source that is being read.
import { workerData } from 'node:worker_threads'
import { answerCalls } from '../thread/answer-calls.ts'
import { WorkCells } from '../thread/worker-calls.ts'
import { KnowledgeIndex } from './index/knowledge-index.ts'

export interface KnowledgeThreadData {
  readonly path: string
  readonly isOwner: boolean
  /** Calls are canceled through it. */
  readonly cells: SharedArrayBuffer
}

const { path, isOwner, cells: shared } = workerData as KnowledgeThreadData
const cells = new WorkCells(shared)

answerCalls(new KnowledgeIndex(path, { isOwner, isCanceled: () => cells.isCanceled() }), (id) => cells.begin(id))
