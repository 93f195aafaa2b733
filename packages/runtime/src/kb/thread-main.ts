// The thread of the knowledge base: the only place that opens its file, walks folders and reads their files.
import { workerData } from 'node:worker_threads'
import { answerCalls } from '../thread/answer-calls.ts'
import { KnowledgeIndex } from './index/knowledge-index.ts'

const { path } = workerData as { readonly path: string }

answerCalls(new KnowledgeIndex(path))
