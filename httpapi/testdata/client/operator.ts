// A client of the operators' API that uses the types that openapi-typescript generates from
// its document. Like client.ts, it is compiled and never run.
import createClient from "openapi-fetch";

import type { components, paths } from "./operator-api";

type Schemas = components["schemas"];

const api = createClient<paths>({ baseUrl: "/operator", headers: { "X-API-KEY": "apg_example" } });

// openDisputes returns the disputes that wait for an operator, oldest first, page by page.
export async function openDisputes(): Promise<Schemas["ListedDispute"][]> {
  const disputes: Schemas["ListedDispute"][] = [];
  let cursor: string | undefined;
  do {
    const query = { states: ["OPEN" as const], oldestFirst: true, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const { data, error } = await api.GET("/dispute/list", { params: { query } });
    if (error) {
      throw new Error(`${error.code}: ${error.message}`);
    }
    disputes.push(...data.disputes);
    cursor = data.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return disputes;
}

// accept accepts a dispute. It returns false if somebody else was faster.
export async function accept(id: number, reason: string): Promise<boolean> {
  const { data, error, response } = await api.POST("/dispute/resolve", {
    body: { id, state: "ACCEPTED", assetStatus: "ALLOWED", reason },
  });
  if (response.status === 409) {
    return false;
  }
  if (error) {
    throw new Error(error.issues.map((issue) => issue.message).join("; "));
  }
  const last = data.notes.at(-1);
  return last !== undefined && last.kind === "TRANSITION" && last.state === "ACCEPTED";
}

// why returns who or what is responsible for the status of an asset.
export async function why(content: string): Promise<string> {
  const { data, error } = await api.GET("/asset/explain", { params: { query: { content } } });
  if (error) {
    throw new Error(error.message);
  }
  const organizations = data.allowedBy.organizations.map(({ id, slug, name }) => name ?? slug ?? id).join();
  return data.change === null ? organizations : `${data.change.cause} ${data.change.reference ?? ""} ${organizations}`;
}

// approve approves all undecided proposals of a report.
export async function approve(report: Schemas["Report"]): Promise<Schemas["ReportStatus"]> {
  let status = report.status;
  for (const proposal of report.proposals.filter((one) => one.reviewId === null)) {
    const { data, error } = await api.POST("/report/review", { body: { proposalId: proposal.id, reviewStatus: "APPROVE", ifReview: proposal.reviewId } });
    if (error) {
      throw new Error(error.message);
    }
    if ("pending" in data) {
      throw new Error(`another operator must approve act ${data.pending.id}`);
    }
    status = data.status;
  }
  return status;
}

// follow creates a webhook for everything that becomes BLOCKED, and returns its secret if it works.
export async function follow(url: string): Promise<string> {
  const created = await api.POST("/webhook/create", {
    body: { url, events: ["asset.status_changed"], filter: { statuses: ["BLOCKED"] } },
  });
  if (created.error) {
    throw new Error(created.error.issues.map((issue) => issue.message).join("; "));
  }
  const { id, secret } = created.data;
  const tested = await api.POST("/webhook/test", { body: { id } });
  if (tested.error || tested.data.failure !== null) {
    throw new Error(tested.error?.message ?? `${tested.data?.failure} ${tested.data?.status ?? "no response"}`);
  }
  return secret;
}
