// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {PinnedReceiver} from "../../contracts/receiver/PinnedReceiver.sol";
import {Proof} from "./Proof.sol";

/// @title ConsumedProofs
/// @notice From any state, no call of any function frees a consumed id or changes its depositor.
contract ConsumedProofs is Proof {
    PinnedReceiver private _receiver;

    function setUp() external {
        address deployed = address(new PinnedReceiver(SOLVER, PAYEE, IRecordReceiver.Binding.Caller, OWNER));
        _receiver = PinnedReceiver(payable(_anyStateOf(deployed)));
    }

    /// @custom:halmos --default-bytes-lengths 65 --default-array-lengths 1,2
    /// @custom:mutant contracts/receiver/RefundReceiver.sol: if (entry.depositor != 0) -> if (entry.depositor == uint160(depositor))
    function check_NoCallFreesAConsumedId(address caller, uint256 value, bytes32 id) external {
        address depositor = _receiver.depositorOf(id);
        VM.assume(depositor != address(0));
        _callAs(caller, address(_receiver), value, SYMBOLS.createCalldata("PinnedReceiver"));
        assert(_receiver.depositorOf(id) == depositor);
    }
}
