// Files with words that `wording.js` finds. The list only gets shorter: fix the texts of a file and remove its line.
export const notDone = [
  'packages/runtime/src/pipeline/pipeline.ts',
  'packages/runtime/src/run/failures.ts',
  'packages/runtime/src/run/recovery/finish-restores.ts',
  'packages/runtime/src/run/runs.ts',
  'packages/runtime/src/run/turn/attached.ts',
  'packages/runtime/src/run/turn/compaction.ts',
  'packages/runtime/src/run/turn/take-turn.ts',
  'packages/runtime/src/run/turn/transcript.ts',
]
