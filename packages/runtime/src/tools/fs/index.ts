// The file tools, in the order of the specification.
import type { Tool } from '../../call/tool.ts'
import { deletePath } from './delete.ts'
import { editFile } from './edit.ts'
import { listFolder } from './list.ts'
import { makeFolder } from './mkdir.ts'
import { movePath } from './move.ts'
import { readFile } from './read.ts'
import { searchFiles } from './search.ts'
import { writeFile } from './write.ts'

export const fsTools: readonly Tool[] = [listFolder, readFile, searchFiles, writeFile, editFile, movePath, deletePath, makeFolder]
