// The recall thread: the only place that opens the index.
import { workerData } from 'node:worker_threads'
import { answerCalls } from '../thread/answer-calls.ts'
import { RecallIndex } from './index/recall-index.ts'

const { path } = workerData as { readonly path: string }

answerCalls(new RecallIndex(path))
