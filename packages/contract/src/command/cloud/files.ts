import Type, { type Static } from 'typebox'
import { FileListQuery, StoredFile } from '../../file/schema.ts'
import { Id, object, oneOf, pageOf } from '../../shape.ts'
import { type Command, listParams } from '../command.ts'
import { cloudFileKinds } from './names.ts'

export const CloudFile = object({ ...StoredFile.properties, kind: oneOf(cloudFileKinds) })
export type CloudFile = Static<typeof CloudFile>

const Path = Type.String({ minLength: 1, maxLength: 4_096, description: 'An absolute path of this device' })
const of = { file_id: Id }

export const cloudFileCommands = {
  cloud_file_list: {
    summary: 'List the files of the account, newest first. A page may contain fewer items than limit.',
    params: listParams({ q: FileListQuery.properties.q, kind: Type.Optional(oneOf(cloudFileKinds, { default: 'own' })) }),
    result: pageOf(CloudFile),
  },
  cloud_file_add: {
    summary: 'Upload a file from this device to the account.',
    params: object({ path: Path }),
    result: object({ file: CloudFile }),
  },
  cloud_file_save: {
    summary: 'Download a file of the account into a folder on this device, under an unused name: nothing is overwritten.',
    params: object({ ...of, folder: Path }),
    result: object({ path: Path }),
  },
  cloud_file_remove: {
    summary: 'Delete a file of the account. Downloaded copies are kept.',
    params: object(of),
    result: object(of),
  },
} satisfies Record<string, Command>
