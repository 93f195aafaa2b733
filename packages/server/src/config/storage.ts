// STORAGE_URL: where files are stored if the platform is a plain PostgreSQL.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { VariableReader } from './reader.ts'

export type StorageTarget =
  | { readonly kind: 'folder'; readonly dir: string }
  | {
      readonly kind: 's3'
      readonly bucket: string
      readonly prefix: string
      readonly endpoint: string
      readonly region: string
      readonly access_key: string
      readonly secret_key: string
    }

const keys = ['STORAGE_ACCESS_KEY', 'STORAGE_SECRET_KEY'] as const

export function readStorage(reader: VariableReader, production: boolean, fallbackDir: string): StorageTarget | undefined {
  const remedy = 'set file:DIR or s3://bucket/prefix?region=…'
  const value = production ? reader.required('STORAGE_URL', remedy) : reader.text('STORAGE_URL')
  const url = value === undefined ? undefined : URL.parse(value)
  if (url?.protocol === 's3:') return readS3(reader, url)

  reader.unused(keys, 'is only used with an s3:// STORAGE_URL')
  if (value === undefined) return { kind: 'folder', dir: fallbackDir }
  if (!value.startsWith('file:')) return reader.problem('STORAGE_URL', 'malformed', 'starts with neither file: nor s3://', remedy)
  const dir = folderOf(value)
  if (dir === undefined)
    return reader.problem('STORAGE_URL', 'malformed', 'does not contain a local folder', 'use the form file:/path/to/folder')
  return { kind: 'folder', dir }
}

/** file:relative, file:/absolute and file:///absolute. */
function folderOf(value: string): string | undefined {
  if (value.startsWith('file://')) {
    try {
      return fileURLToPath(value)
    } catch {
      return undefined
    }
  }
  const path = value.slice('file:'.length)
  return path === '' ? undefined : resolve(path)
}

function readS3(reader: VariableReader, url: URL): StorageTarget | undefined {
  const access_key = reader.required('STORAGE_ACCESS_KEY', 'set the access key of the bucket')
  const secret_key = reader.required('STORAGE_SECRET_KEY', 'set the secret key of the bucket')
  const malformed = (cause: string) =>
    reader.problem('STORAGE_URL', 'malformed', cause, 'use the form s3://bucket/prefix?endpoint=https://…&region=…')

  if (url.username !== '' || url.password !== '') {
    return reader.problem('STORAGE_URL', 'refused', 'contains a key', 'use STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY')
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) return malformed('does not contain a valid bucket name')
  for (const name of url.searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region') return malformed('has an option other than endpoint and region')
  }
  const given = url.searchParams.get('endpoint')
  const region = url.searchParams.get('region') ?? (given === null ? undefined : 'us-east-1')
  if (region === undefined || !/^[a-z0-9-]{1,40}$/.test(region)) return malformed('does not contain a valid region')
  const endpoint = URL.parse(given ?? `https://s3.${region}.amazonaws.com`)
  if (!endpoint || !/^https?:$/.test(endpoint.protocol)) return malformed('has an endpoint that is not an https:// URL')
  if (endpoint.username !== '' || endpoint.password !== '') {
    return reader.problem('STORAGE_URL', 'refused', 'contains a key in its endpoint', 'use STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY')
  }
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^[A-Za-z0-9._/-]*$/.test(prefix) || prefix.split('/').includes('..')) return malformed('has a prefix with unusual characters')
  if (access_key === undefined || secret_key === undefined) return undefined
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix,
    endpoint: endpoint.origin + endpoint.pathname.replace(/\/+$/, ''),
    region,
    access_key,
    secret_key,
  }
}
