// Checks that the configured PostgreSQL can be used. If not, returns one clear line, within the deadline and without the secret.
import postgres from 'postgres'
import type { ConfigProblem } from '../config/problem.ts'
import type { Database, DatabaseTarget } from './database.ts'
import { openPostgresSocket } from './postgres-socket.ts'
import { errorCode } from './unavailable.ts'

/** The variables to name: where the address and the password came from. */
export interface ProbeNames {
  readonly url: 'BAAS_URL' | 'DATABASE_URL'
  readonly password: 'BAAS_KEY' | 'DATABASE_PASSWORD'
}

const oldestVersion = 150_000

export async function probeDatabase(
  { address, password }: DatabaseTarget,
  names: ProbeNames,
  deadline = 10_000,
): Promise<ConfigProblem | undefined> {
  const settings = {
    ...{ host: address.host, port: address.port, user: address.user, password, database: address.database },
    ...{ max: 1, prepare: false, fetch_types: false, connect_timeout: deadline / 1000, connection: { application_name: 'tandem probe' } },
    onnotice: () => undefined,
    socket: () => openPostgresSocket(address, deadline, () => undefined),
  }
  const sql = postgres(settings)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(Object.assign(new Error('deadline'), { code: 'CONNECT_TIMEOUT' })), deadline)
  try {
    return await Promise.race([inspect(sql, names), late])
  } catch (error) {
    return explain(errorCode(error), names)
  } finally {
    clearTimeout(timer)
    await sql.end({ timeout: 0 })
  }
}

async function inspect(sql: postgres.Sql, { url }: ProbeNames): Promise<ConfigProblem | undefined> {
  const [facts] = await sql<
    { version: number; standby: boolean; encoding: string; may_create: boolean; may_add_roles: boolean; may_use_roles: boolean }[]
  >`
    with version as (select current_setting('server_version_num')::int as number),
    -- Until PostgreSQL 16 every member of a role may act as it.
    roles as (
      select pg_has_role(oid, case when number >= 160000 then 'SET' else 'MEMBER' end) or pg_has_role(oid, 'MEMBER WITH ADMIN OPTION')
        or (number < 160000 and (select rolcreaterole from pg_roles where rolname = current_user)) as usable,
        pg_has_role(oid, 'MEMBER') as granted
      from pg_roles, version where rolname in ('tandem_app', 'tandem_accounts')
    )
    select number as version,
      pg_is_in_recovery() or current_setting('transaction_read_only')::bool as standby,
      current_setting('server_encoding') as encoding,
      has_database_privilege(current_database(), 'CREATE') as may_create,
      (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) or (select count(*) = 2 from roles where granted) as may_add_roles,
      (select coalesce(bool_and(usable), true) from roles) as may_use_roles
    from version`
  const refused = (cause: string, remedy: string): ConfigProblem => ({ variable: url, code: 'refused', cause, remedy })
  if (!facts) return refused('points to a server that does not respond', 'use the address of PostgreSQL 15 or later')
  if (facts.version < oldestVersion) return refused('points to a PostgreSQL older than 15', 'use PostgreSQL 15 or later')
  if (facts.standby) return refused('points to a read-only server', 'use the address of the primary')
  if (facts.encoding !== 'UTF8')
    return refused(`points to a database with the encoding ${facts.encoding}`, 'create the database with encoding UTF8')
  if (!facts.may_create) return refused('has a user that cannot create a schema', 'grant CREATE on the database to that user')
  if (!facts.may_add_roles) {
    return refused(
      'has a user that cannot create the roles tandem_app and tandem_accounts',
      'grant CREATEROLE to that user, or create both roles (NOLOGIN) and grant them to it',
    )
  }
  return facts.may_use_roles ? undefined : rolesRefused(url)
}

function rolesRefused(url: ProbeNames['url']): ConfigProblem {
  return {
    variable: url,
    code: 'refused',
    cause: 'has a user that cannot act as tandem_app and tandem_accounts',
    remedy:
      'as an administrator run: grant tandem_app, tandem_accounts to that user with set true (before PostgreSQL 16 without "with set true")',
  }
}

/** After the migrations: whether statements can run in both roles. */
export async function probeRoles(database: Pick<Database, 'ping'>, { url }: ProbeNames): Promise<ConfigProblem | undefined> {
  try {
    await database.ping()
    return undefined
  } catch (error) {
    if (errorCode(error) === '42501') return rolesRefused(url)
    throw error
  }
}

function explain(code: string | undefined, names: ProbeNames): ConfigProblem {
  const { url, password } = names
  switch (code) {
    case '28P01':
      return { variable: password, code: 'refused', cause: `is not the password of the user in ${url}`, remedy: 'set the right password' }
    case '28000':
      return {
        variable: url,
        code: 'refused',
        cause: 'has a user that the server does not accept from this host',
        remedy: 'check its pg_hba.conf and sslmode',
      }
    case '3D000':
      return { variable: url, code: 'refused', cause: 'has a database that does not exist', remedy: 'create it or correct the name' }
    case '42501':
      return {
        variable: url,
        code: 'refused',
        cause: 'has a user that cannot connect to the database',
        remedy: 'grant CONNECT to that user',
      }
    case '53300':
      return {
        variable: url,
        code: 'unreachable',
        cause: 'points to a server without a free connection',
        remedy: 'increase max_connections or close idle connections',
      }
    case '57P03':
      return {
        variable: url,
        code: 'unreachable',
        cause: 'points to a server that is starting or stopping',
        remedy: 'try again in a moment',
      }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        variable: url,
        code: 'unreachable',
        cause: 'has a host that cannot be resolved',
        remedy: 'correct the host or the DNS settings',
      }
    case 'ECONNREFUSED':
    case 'ENOENT':
      return {
        variable: url,
        code: 'unreachable',
        cause: 'points to a server that is not listening',
        remedy: 'start PostgreSQL, or correct the host and port',
      }
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return {
        variable: url,
        code: 'unreachable',
        cause: 'points to a server that does not respond',
        remedy: 'correct the host and port, or allow the connection',
      }
    case 'NO_TLS':
      return {
        variable: url,
        code: 'refused',
        cause: 'requires TLS, which the server does not offer',
        remedy: 'enable TLS on the server or change sslmode',
      }
    case 'ROOT_CERTIFICATE':
      return {
        variable: url,
        code: 'refused',
        cause: 'has an sslrootcert that cannot be read or is not a PEM certificate',
        remedy: 'correct the path or the file',
      }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        variable: url,
        code: 'refused',
        cause: 'points to a server whose certificate is for another host',
        remedy: 'use the host in the certificate, or sslmode=verify-ca',
      }
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return {
        variable: url,
        code: 'refused',
        cause: 'points to a server whose certificate is signed by an unknown authority',
        remedy: 'add sslrootcert= with the path of the PEM certificate of that authority',
      }
    case 'PROTOCOL':
      return { variable: url, code: 'refused', cause: 'points to something that is not PostgreSQL', remedy: 'correct the host and port' }
    default:
      return {
        variable: url,
        code: 'unreachable',
        cause: `cannot be used (${code ?? 'no reason given'})`,
        remedy: 'check host, port, sslmode and the server log',
      }
  }
}
