// Sends leads with the built client at the path in its argument, and prints their ids. Runs on old versions of Node too.
const { Leadgate } = await import(process.argv[2]);

const { LEADGATE_URL, LEADGATE_TOKEN, LEADS } = process.env;
// A long time limit, because a busy machine may need minutes to restart the service.
const options = { timeoutMs: 250_000 };
const leadgate = new Leadgate({ url: LEADGATE_URL, token: LEADGATE_TOKEN, ...options });
const leads = Array.from({ length: Number(LEADS) }, (_, number) => ({
  number,
  email: `a${number}@example.com`,
}));
const results = await leadgate.submitAll(leads, { concurrency: 4 });
const failed = results.find(({ status }) => status !== 'accepted');
if (failed) throw new Error(`A lead was not accepted: ${failed.status} ${failed.error}`);
process.stdout.write(JSON.stringify(results.map(({ submissionId }) => submissionId)));
