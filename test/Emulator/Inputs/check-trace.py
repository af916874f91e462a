"""Checks a Chrome trace of the kernel `copies`: the rules of the format that
viewers rely on, and what must be in it."""
import json
import sys

trace = json.load(open(sys.argv[1]))
assert trace["otherData"]["dropped"] == 0
names, tracks, open_, done, ends = {}, {}, {}, [], {}
for event in trace["traceEvents"]:
    place = event["pid"], event["tid"]
    if event["ph"] == "M":
        text = event["args"]["name"]
        (names if event["name"] == "process_name" else tracks)[place] = text
        continue
    assert event["ts"] >= 0 and event["pid"] in {p for p, _ in names}, event
    assert place in tracks, event
    if event["ph"] == "X":
        # Slices of a thread may not overlap.
        assert event["dur"] >= 0 and event["ts"] >= ends.get(place, 0), event
        ends[place] = event["ts"] + event["dur"]
    elif event["ph"] == "b":
        open_[event["cat"], event["id"]] = event
    elif event["ph"] == "e":
        begin = open_.pop((event["cat"], event["id"]))
        assert begin["ts"] < event["ts"] and begin["pid"] == event["pid"], event
        done.append((event["cat"], begin["ts"], event["ts"]))
    else:
        assert event["ph"] == "i" and event["s"] == "t", event
assert not open_, open_
loads = [d for d in done if d[0] == "copies to shared memory"]
stores = [d for d in done if d[0] == "copies from shared memory"]
# The stores read what the loads brought.
assert max(end for _, _, end in loads) > 0
assert min(b for _, b, _ in stores) > min(end for _, _, end in loads)
warps = sum(text.startswith("warp") for text in tracks.values())
print("%d blocks, %d warps, %d loads and %d stores, in order" % (
    len(names), warps, len(loads), len(stores)))
